package store

import (
	"net"
	"sync"
	"testing"
	"time"

	"example.com/fixtures/stucktest/internal/ready"
)

func TestListenerReadsBack(t *testing.T) {
	ready.When(map[string]int{"store.(*Dir).Read": 1})
	d := NewDir()
	d.onWrite = func(name string) {
		if d.Read(name) != "hello" {
			t.Error("not what was written")
		}
	}
	d.Write("a", "hello")
}

func TestMoveBothWays(t *testing.T) {
	ready.When(map[string]int{"store.(*Dir).Move": 2})
	left, right := NewDir("a"), NewDir("b")
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { defer wg.Done(); left.Move("a", right) }()
	go func() { defer wg.Done(); right.Move("b", left) }()
	wg.Wait()
}

func TestSizesWhileWriting(t *testing.T) {
	ready.When(map[string]int{"store.(*Dir).Sizes": 1, "store.(*Dir).Write": 1})
	d := NewDir("a", "b")
	go func() {
		time.Sleep(10 * time.Millisecond)
		d.Write("c", "new")
	}()
	if len(d.Sizes()) != 2 {
		t.Error("not all files")
	}
}

func TestRemoveMissing(t *testing.T) {
	ready.When(map[string]int{"store.(*Dir).Remove": 1})
	d := NewDir("a")
	for _, name := range []string{"a", "b", "c"} {
		d.Remove(name)
	}
}

func TestEnsure(t *testing.T) {
	for _, name := range []string{"a", "b"} {
		t.Run(name, func(t *testing.T) { NewDir("a").Ensure(name) })
	}
}

func TestFetchInParallel(t *testing.T) {
	ready.When(map[string]int{"store.(*Remote).Fetch": 12})
	near, far := net.Pipe()
	defer far.Close()
	r := &Remote{conn: near}
	var wg sync.WaitGroup
	for i := 0; i < 12; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r.Fetch()
		}()
	}
	wg.Wait()
}
