// Package mount: a goroutine that a timer started holds a lock while it waits for a command that hangs.
package mount

import (
	"bytes"
	"fmt"
	"net/http"
	"os/exec"
	"sync"
	"time"

	"aged/kit"
)

type Volumes struct {
	mu   sync.Mutex
	free map[string]int
}

func (v *Volumes) Free(name string) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.free[name]
}

func (v *Volumes) refresh() {
	v.mu.Lock()
	cmd := exec.Command("sleep", "100000")
	var out bytes.Buffer
	cmd.Stdout = &out
	if cmd.Run() == nil {
		v.free["a"] = out.Len()
	}
	v.mu.Unlock()
}

// Main runs it.
func Main() {
	v := &Volumes{free: map[string]int{}}
	address := kit.API(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, v.Free(r.URL.Path)) }))
	go func() {
		for range time.Tick(2 * time.Second) {
			v.refresh()
		}
	}()
	time.Sleep(3 * time.Second)
	for range 12 {
		go kit.Hold(address, "/a")
	}
	kit.Wait()
}
