//go:build fixed

package main

import "github.com/karlseguin/ccache"

// end ends the work of the cache.
func end(seen *ccache.Cache) { seen.Stop() }
