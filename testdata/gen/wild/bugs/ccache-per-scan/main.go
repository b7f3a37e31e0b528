// Command ccache-per-scan scans hosts; each scan has a cache of what it has seen.
//
// https://github.com/projectdiscovery/nuclei/issues/2373
package main

import (
	"fmt"
	"time"

	"github.com/karlseguin/ccache"

	"wild/kit"
)

func main() {
	kit.Serve()
	for range time.Tick(250 * time.Millisecond) {
		scan()
	}
}

// scan scans some hosts.
func scan() int {
	seen := ccache.New(ccache.Configure().MaxSize(100))
	defer end(seen)
	for n := range 20 {
		host := fmt.Sprint(n % 15)
		if seen.Get(host) == nil {
			seen.Set(host, true, time.Minute)
		}
	}
	return seen.ItemCount()
}
