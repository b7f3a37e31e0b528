//go:build !fixed

package main

import (
	"log"
	"time"

	"github.com/muesli/cache2go"
)

// purge ends a session that is idle.
func purge(key any, item *cache2go.CacheItem) {
	if time.Since(item.AccessedOn()) < idle {
		return
	}
	if _, err := t.Delete(key); err != nil {
		log.Print(err)
		return
	}
	ended.Add(1)
}

// sweep looks at every session.
func sweep() {
	t.Foreach(purge)
}
