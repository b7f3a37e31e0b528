// Package builds: one build at a time runs a compiler of an hour; who wants the next one waits for its turn.
package builds

import (
	"fmt"
	"net/http"
	"os/exec"
	"sync"
	"time"

	"aged/kit"
)

var turn sync.Mutex

// build runs the compiler alone.
func build(name string) error {
	turn.Lock()
	defer turn.Unlock()
	return exec.Command("sleep", "3600").Run()
}

// Main runs it.
func Main() {
	address := kit.API(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, build(r.URL.Path)) }))
	for range 4 {
		go kit.Hold(address, "/build")
		time.Sleep(time.Second)
	}
	kit.Wait()
}
