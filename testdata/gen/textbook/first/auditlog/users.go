package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// users are the newest that were loaded.
type usersBook struct{ current atomic.Pointer[[]string] }

// keep loads users until the service ends.
func (b *usersBook) keep(ctx context.Context) {
	for ctx.Err() == nil {
		fresh := []string{time.Now().Format(time.Kitchen)}
		b.current.Store(&fresh)
		select {
		case <-ctx.Done():
		case <-time.After(4 * time.Second):
		}
	}
}

func (b *usersBook) list(w http.ResponseWriter, _ *http.Request) {
	if all := b.current.Load(); all != nil {
		fmt.Fprintln(w, strings.Join(*all, "\n"))
	}
}
