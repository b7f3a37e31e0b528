// Package overview shows the state of a network; whoever comes first computes it for all.
package overview

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"example.com/services/kit"
)

type live struct {
	mu       sync.Mutex
	inFlight chan struct{}
	text     string
	builds   atomic.Int64
	slow     bool
}

func (l *live) build() string {
	if l.slow {
		time.Sleep(2500 * time.Millisecond)
	}
	if l.builds.Add(1) == 2 && !l.slow {
		var probes map[string][]int
		return fmt.Sprint(probes["wan"][0])
	}
	return "fine"
}

// Get computes the state, or waits for who does.
func (l *live) Get() string {
	l.mu.Lock()
	if ch := l.inFlight; ch != nil {
		l.mu.Unlock()
		<-ch
		return l.text
	}
	ch := make(chan struct{})
	l.inFlight = ch
	l.mu.Unlock()
	if l.slow {
		defer l.done(ch)
		l.text = l.build()
		return l.text
	}
	l.text = l.build()
	l.done(ch)
	return l.text
}

func (l *live) done(ch chan struct{}) {
	l.mu.Lock()
	l.inFlight = nil
	l.mu.Unlock()
	close(ch)
}

func (l *live) page(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, l.Get()) }

func Main(fixed bool) {
	kit.Start()
	l := &live{slow: fixed}
	url := kit.API(http.HandlerFunc(l.page))
	if fixed {
		kit.Ask(9000, 100*time.Millisecond, url)
	}
	kit.Ask(30, 300*time.Millisecond, url)
	kit.Wait()
}
