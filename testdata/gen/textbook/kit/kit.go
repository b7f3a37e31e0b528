// Package kit is what all programs of the textbook share: the pprof port, and early collections of garbage.
package kit

import (
	"log"
	"net/http"
	_ "net/http/pprof"
	"os"
	"runtime"
	"time"
)

// Start serves net/http/pprof on the address in PPROF. If GCEARLY is set, it collects garbage every 20 seconds for a
// minute, so that dumps show how long goroutines have waited.
func Start() {
	if addr := os.Getenv("PPROF"); addr != "" {
		go func() { log.Print(http.ListenAndServe(addr, nil)) }()
	}
	if os.Getenv("GCEARLY") != "" {
		go func() {
			for range 3 {
				time.Sleep(20 * time.Second)
				runtime.GC()
			}
		}()
	}
}
