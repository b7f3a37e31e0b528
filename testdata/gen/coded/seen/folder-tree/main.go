// Folder-tree sums up folders: each folder has a lock of its own.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

type folder struct {
	mu    sync.Mutex
	size  int
	inner []*folder
}

// lock locks the folder and returns what unlocks it.
func (f *folder) lock() func() {
	f.mu.Lock()
	return f.mu.Unlock
}

// sum adds up the folder and those in it. A leaf is read from a slow disk.
func (f *folder) sum() int {
	defer f.lock()()
	n := f.size
	for _, in := range f.inner {
		n += in.sum()
	}
	if len(f.inner) == 0 {
		time.Sleep(20 * time.Minute)
	}
	return n
}

func main() {
	kit.Serve()
	root := &folder{inner: []*folder{{size: 1}, {inner: []*folder{{size: 2}, {size: 3}}}}}
	for n := 0; n < 6; n++ {
		go func() { log.Print(root.sum()) }()
	}
	kit.Wait()
}
