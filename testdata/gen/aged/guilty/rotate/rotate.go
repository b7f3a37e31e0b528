// Package rotate: a nightly job runs a command with the lock that all readers need, and the command never ends.
package rotate

import (
	"fmt"
	"net/http"
	"os/exec"
	"sync"
	"time"

	"aged/kit"
)

type journal struct {
	mu    sync.RWMutex
	lines []string
}

func (j *journal) last() string {
	j.mu.RLock()
	defer j.mu.RUnlock()
	return j.lines[len(j.lines)-1]
}

var book = &journal{lines: []string{"opened"}}

// nightly packs the journal.
func nightly() {
	book.mu.Lock()
	defer book.mu.Unlock()
	if out, err := exec.Command("sleep", "100000").CombinedOutput(); err == nil {
		book.lines = append(book.lines, string(out))
	}
}

// Main runs it.
func Main() {
	address := kit.API(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, book.last()) }))
	go nightly()
	time.Sleep(time.Second)
	for range 14 {
		go kit.Hold(address, "/last")
	}
	kit.Wait()
}
