// Package fanout reads a picture once for several readers.
package fanout

import (
	"net/http"
	"sync"
	"time"

	"example.com/services/kit"
)

type source struct {
	mu      sync.RWMutex
	readers []*reader
}

type reader struct {
	src    *source
	parts  chan []byte
	closed bool
}

func (s *source) pump(parts int) {
	for range parts {
		s.deliver(make([]byte, 64))
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, r := range s.readers {
		if !r.closed {
			close(r.parts)
		}
	}
}

func (s *source) deliver(part []byte) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, r := range s.readers {
		if !r.closed {
			r.parts <- part
		}
	}
}

func (r *reader) Close() {
	r.src.mu.Lock()
	defer r.src.mu.Unlock()
	r.closed = true
}

func (r *reader) sniff(all bool) {
	<-r.parts
	for all {
		time.Sleep(300 * time.Millisecond)
		if _, ok := <-r.parts; !ok {
			break
		}
	}
	r.Close()
}

func picture(fixed bool) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		s := &source{}
		r := &reader{src: s, parts: make(chan []byte)}
		s.readers = append(s.readers, r)
		go s.pump(9)
		r.sniff(fixed)
		w.WriteHeader(http.StatusOK)
	}
}

func Main(fixed bool) {
	kit.Start()
	url := kit.API(picture(fixed))
	if fixed {
		kit.Ask(9000, 200*time.Millisecond, url)
	}
	kit.Ask(14, 2*time.Second, url)
	kit.Wait()
}
