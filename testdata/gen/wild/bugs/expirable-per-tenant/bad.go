//go:build !fixed

package main

import "github.com/hashicorp/golang-lru/v2/expirable"

// cacheOf is the cache of a user.
func cacheOf(int64) *expirable.LRU[int64, bool] { return newCache() }
