// Command object-informer follows the objects of a cluster: Reconcile begins one subscription for each object that is
// new, which lives as long as the object, and each renews itself after some minutes.
package main

import (
	"context"
	"fmt"
	"log"
	"math/rand"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"wild/kit"
)

type subscription struct {
	updates chan int
	cancel  context.CancelFunc
}

type reconciler struct {
	mu   sync.Mutex
	subs map[string]subscription
}

// Reconcile follows an object if nobody does.
func (r *reconciler) Reconcile(ctx context.Context, key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.subs[key]; ok {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, 4*time.Minute)
	updates := make(chan int, 1)
	r.subs[key] = subscription{updates, cancel}
	go func() {
		defer cancel()
		for generation := 0; ; {
			select {
			case <-ctx.Done():
				r.forget(key, generation)
				return
			case generation = <-updates:
			}
		}
	}()
}

func (r *reconciler) forget(key string, generation int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.subs, key)
	if generation > 20 {
		log.Printf("%s is at %d", key, generation)
	}
}

// change is a new generation of some object.
func (r *reconciler) change(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.subs {
		if rand.Intn(10) == 0 {
			select {
			case s.updates <- n:
			default:
			}
		}
	}
}

func main() {
	kit.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	r := &reconciler{subs: map[string]subscription{}}
	for i := 0; ctx.Err() == nil; i++ {
		go r.Reconcile(ctx, fmt.Sprintf("pod-%d", i%400))
		if i%30 == 0 {
			go r.change(i)
		}
		time.Sleep(2 * time.Second)
	}
}
