// Command semaphore-canceled-front is a store whose readers take one share of a semaphore each; a migration takes all.
//
// https://github.com/golang/go/issues/37852
package main

import (
	"context"
	"log"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"wild/kit"
)

const shares = 10

var (
	store = semaphore.NewWeighted(shares)
	reads atomic.Int64
)

func main() {
	kit.Serve()
	go follow()
	time.Sleep(100 * time.Millisecond)
	go migrate()
	time.Sleep(100 * time.Millisecond)
	for range 6 {
		go read()
	}
	for range time.Tick(10 * time.Second) {
		log.Print(reads.Load(), " reads")
	}
}

// follow is a reader that stays: it prints how the store changes.
func follow() {
	if err := store.Acquire(context.Background(), 1); err != nil {
		log.Fatal(err)
	}
	for range time.Tick(time.Second) {
		reads.Add(1)
	}
}

// migrate changes the store, unless its readers do not leave within half a second.
func migrate() {
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	if err := store.Acquire(ctx, shares); err != nil {
		log.Print("not migrated: ", err)
		return
	}
	store.Release(shares)
}

// read reads now and then.
func read() {
	for {
		if err := store.Acquire(context.Background(), 1); err != nil {
			log.Fatal(err)
		}
		reads.Add(1)
		time.Sleep(20 * time.Millisecond)
		store.Release(1)
		time.Sleep(200 * time.Millisecond)
	}
}
