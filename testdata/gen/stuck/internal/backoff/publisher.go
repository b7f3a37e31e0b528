// Package backoff publishes with retries.
package backoff

import (
	"errors"
	"sync"
	"time"
)

var errRefused = errors.New("refused")

// A Publisher retries.
type Publisher struct {
	mu       sync.Mutex
	attempts int
	wait     time.Duration
}

// Start publishes from sixteen goroutines to nobody.
func Start() {
	p := &Publisher{wait: 30 * time.Second}
	for i := 0; i < 16; i++ {
		go p.run()
	}
}

func (p *Publisher) run() {
	for p.Publish("metric") != nil {
	}
}

// Publish tries until it succeeds.
func (p *Publisher) Publish(message string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.attempts < 10 {
		if err := p.try(message); err == nil {
			return nil
		}
		p.attempts++
		time.Sleep(p.wait)
	}
	return errRefused
}

func (p *Publisher) try(string) error { return errRefused }
