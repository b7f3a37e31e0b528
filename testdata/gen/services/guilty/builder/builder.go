// Package builder builds targets and what they need, no more than some at a time.
package builder

import (
	"sync"
	"time"

	"example.com/services/kit"
)

type target struct {
	name string
	deps []*target
}

type Farm struct{ slots chan struct{} }

func (f *Farm) Build(t *target) {
	f.slots <- struct{}{}
	defer func() { <-f.slots }()
	var wg sync.WaitGroup
	for _, d := range t.deps {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f.Build(d)
		}()
	}
	wg.Wait()
	time.Sleep(30 * time.Millisecond)
}

func tree(depth int) *target {
	t := &target{name: "t"}
	if depth > 0 {
		t.deps = []*target{tree(depth - 1), tree(depth - 1)}
	}
	return t
}

func Main() {
	kit.Start()
	f := &Farm{make(chan struct{}, 8)}
	f.Build(tree(1))
	for range 9 {
		go f.Build(tree(2))
	}
	kit.Wait()
}
