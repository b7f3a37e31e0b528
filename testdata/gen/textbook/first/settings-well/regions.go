package main

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// regions are the newest that were loaded.
type regionsBook struct{ current atomic.Pointer[[]string] }

// keep loads regions until the service ends.
func (b *regionsBook) keep(ctx context.Context) {
	for ctx.Err() == nil {
		fresh := []string{time.Now().Format(time.Kitchen)}
		b.current.Store(&fresh)
		select {
		case <-ctx.Done():
		case <-time.After(4 * time.Second):
		}
	}
}

func (b *regionsBook) list(w http.ResponseWriter, _ *http.Request) {
	if all := b.current.Load(); all != nil {
		fmt.Fprintln(w, strings.Join(*all, "\n"))
	}
}
