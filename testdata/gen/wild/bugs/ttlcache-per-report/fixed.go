//go:build fixed

package main

import (
	"time"

	"github.com/wunderlist/ttlcache"
)

var all = ttlcache.NewCache(30 * time.Second)

// names are the names that all reports have looked up.
func names() *ttlcache.Cache { return all }
