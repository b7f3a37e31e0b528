//go:build !fixed

package main

import (
	"time"

	"github.com/wunderlist/ttlcache"
)

// names are the names that a report has looked up.
func names() *ttlcache.Cache { return ttlcache.NewCache(30 * time.Second) }
