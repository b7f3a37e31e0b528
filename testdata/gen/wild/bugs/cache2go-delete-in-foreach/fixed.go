//go:build fixed

package main

import (
	"log"
	"time"

	"github.com/muesli/cache2go"
)

// purge ends the sessions of keys.
func purge(keys []any) {
	for _, key := range keys {
		if _, err := t.Delete(key); err != nil {
			log.Print(err)
			continue
		}
		ended.Add(1)
	}
}

// sweep looks at every session, and ends the idle ones once it has seen all.
func sweep() {
	var keys []any
	t.Foreach(func(key any, item *cache2go.CacheItem) {
		if time.Since(item.AccessedOn()) >= idle {
			keys = append(keys, key)
		}
	})
	purge(keys)
}
