// Package throttle lets a few requests a second through.
package throttle

import (
	"errors"
	"log"
	"net/http"
	"time"

	"example.com/services/kit"
)

type Limiter struct {
	tokens chan struct{}
	rounds int
}

func (l *Limiter) refill(check func(int) error) {
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		l.rounds++
		if err := check(l.rounds); err != nil {
			log.Println("limiter:", err)
			return
		}
		select {
		case l.tokens <- struct{}{}:
		default:
		}
	}
}

// Wait waits for a token.
func (l *Limiter) Wait() { <-l.tokens }

func Main(fixed bool) {
	kit.Start()
	l := &Limiter{tokens: make(chan struct{}, 4)}
	go l.refill(func(round int) error {
		if round > 8 && !fixed {
			return errors.New("quota service is gone")
		}
		return nil
	})
	url := kit.API(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { l.Wait() }))
	if fixed {
		for range 12 {
			go func() {
				for {
					kit.Get(url)
				}
			}()
		}
		kit.Wait()
	}
	kit.Ask(60, 100*time.Millisecond, url)
	kit.Wait()
}
