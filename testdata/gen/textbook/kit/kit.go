// Package kit opens the pprof port of a program.
package kit

import (
	"net/http"
	_ "net/http/pprof" // serves the profiles
	"os"
	"runtime"
	"time"
)

// Start serves profiles on the address in PPROF. With GCEARLY set it collects garbage every twenty seconds for a
// minute: from then on dumps show how many minutes goroutines have waited.
func Start() {
	go http.ListenAndServe(os.Getenv("PPROF"), nil)
	if os.Getenv("GCEARLY") == "" {
		return
	}
	go func() {
		for range 3 {
			time.Sleep(20 * time.Second)
			runtime.GC()
		}
	}()
}
