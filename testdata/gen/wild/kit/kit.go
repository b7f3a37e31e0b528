// Package kit is what every program of the lab has besides its bug: the pprof port that servers have, and the word to
// the driver that the program is at work.
package kit

import (
	"fmt"
	"net"
	"net/http"
	_ "net/http/pprof" // the port that a server would have
	"os"
	"runtime"
)

// Rates of the mutex and block profiles: one contention event in mutexFraction, one sample for each blockRate
// nanoseconds that goroutines were blocked.
const (
	mutexFraction = 5
	blockRate     = 10_000
)

// Serve opens the port of WILD_ADDR and returns. With WILD_GC set it collects garbage once: from then on the runtime
// forces a collection every two minutes, and dumps show how long goroutines have waited.
func Serve() {
	runtime.SetMutexProfileFraction(mutexFraction)
	runtime.SetBlockProfileRate(blockRate)
	if os.Getenv("WILD_GC") != "" {
		runtime.GC()
	}
	listener, err := net.Listen("tcp", os.Getenv("WILD_ADDR"))
	if err != nil {
		fmt.Fprintln(os.Stderr, "kit:", err)
		os.Exit(1)
	}
	go http.Serve(listener, nil)
}
