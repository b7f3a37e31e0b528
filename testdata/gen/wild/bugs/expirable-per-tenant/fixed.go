//go:build fixed

package main

import "github.com/hashicorp/golang-lru/v2/expirable"

var shared = newCache()

// cacheOf is the cache of a user: all have the same.
func cacheOf(int64) *expirable.LRU[int64, bool] { return shared }
