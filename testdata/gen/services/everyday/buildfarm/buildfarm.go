// Package buildfarm runs builds, twelve at a time behind a semaphore of golang.org/x/sync; each takes forty minutes.
//
// It looks like commands that hang (child-process-hangs, semaphore-held): twelve goroutines wait for a command's output,
// and thirty more for a slot. The commands work.
package buildfarm

import (
	"context"
	"os/exec"
	"sync"

	"example.com/services/kit"
	"golang.org/x/sync/semaphore"
)

type farm struct {
	slots  *semaphore.Weighted
	mu     sync.Mutex
	builds int
}

func (f *farm) build(ctx context.Context) error {
	if err := f.slots.Acquire(ctx, 1); err != nil {
		return err
	}
	defer f.slots.Release(1)
	if _, err := exec.CommandContext(ctx, "sleep", "2400").CombinedOutput(); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.builds++
	return nil
}

// Main builds.
func Main() {
	kit.Start()
	f := &farm{slots: semaphore.NewWeighted(12)}
	for range 42 {
		go f.build(context.Background())
	}
	kit.Wait()
}
