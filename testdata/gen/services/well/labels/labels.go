// Package labels prints labels on 48 workers that have nothing to do at night.
package labels

import (
	"sync"
	"time"

	"example.com/services/kit"
	"example.net/lib/taskpool"
)

func Main() {
	kit.Start()
	p := taskpool.New(48, 8)
	var wg sync.WaitGroup
	for range 200 {
		wg.Add(1)
		p.Submit(func() { defer wg.Done(); time.Sleep(10 * time.Millisecond) })
	}
	wg.Wait()
	kit.Wait()
}
