// Package stdout: a logger writes to a pipe that nobody reads.
package stdout

import (
	"log"
	"os"
	"time"

	"aged/kit"
)

type shop struct{ l *log.Logger }

func (s *shop) order(n int) { s.l.Printf("order %d %s", n, make([]byte, 4000)) }

// Main takes orders, and its log goes into a pipe.
func Main() {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	s := &shop{log.New(w, "", 0)}
	for i := range 40 {
		go func() {
			for {
				s.order(i)
				time.Sleep(20 * time.Millisecond)
			}
		}()
	}
	kit.Wait()
	r.Close()
}
