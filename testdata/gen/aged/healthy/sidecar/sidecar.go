// Package sidecar: a helper process runs for as long as the program does; rooms are held by whoever sits in them.
package sidecar

import (
	"context"
	"fmt"
	"net/http"
	"os/exec"
	"sync"
	"time"

	"aged/kit"
)

type helper struct{ runs int }

// supervise starts the helper process anew whenever it ends.
func (h *helper) supervise(ctx context.Context) {
	for ctx.Err() == nil {
		_ = exec.CommandContext(ctx, "sleep", "100000").Run()
		h.runs++
	}
}

type room struct {
	mu     sync.Mutex
	guests int
}

// sit uses the room for a while.
func (r *room) sit(minutes int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for range minutes * 60 {
		time.Sleep(time.Second)
	}
	r.guests++
}

// Main runs it.
func Main() {
	r := &room{}
	go (&helper{}).supervise(context.Background())
	go r.sit(50)
	time.Sleep(time.Second)
	address := kit.API(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		r.sit(1)
		fmt.Fprintln(w, "sat")
	}))
	for range 12 {
		go kit.Hold(address, "/sit")
	}
	kit.Wait()
}
