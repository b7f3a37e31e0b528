// Package dispatch runs tasks in goroutines of their own.
package dispatch

import (
	"sync"
	"time"
)

// A Result is what a task comes to.
type Result[T any] struct {
	Value T
	Err   error
}

// A Dispatcher counts what runs.
type Dispatcher[T any] struct {
	mu      sync.Mutex
	running map[string]int
}

// Start runs a task; ten callers ask for the number of running ones.
func Start() {
	d := &Dispatcher[int]{running: map[string]int{}}
	go d.Run("index", func() int { return 42 })
	go func() {
		time.Sleep(50 * time.Millisecond)
		for i := 0; i < 10; i++ {
			go d.Running("index")
		}
	}()
}

// Run runs a task and waits for its result.
func (d *Dispatcher[T]) Run(name string, task func() T) Result[T] {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.running[name]++
	result := make(chan Result[T])
	go func() {
		time.Sleep(20 * time.Millisecond)
		value := task()
		d.finish(name)
		result <- Result[T]{Value: value}
	}()
	return <-result
}

func (d *Dispatcher[T]) finish(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.running[name]--
}

// Running is how often a task runs.
func (d *Dispatcher[T]) Running(name string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.running[name]
}
