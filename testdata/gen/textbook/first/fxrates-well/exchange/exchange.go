// Package exchange knows the rates of an exchange.
package exchange

import (
	"fmt"
	"net/http"
	"sync"
	"time"
)

// Rates are asked for once and kept for a second.
type Rates struct {
	upstream string
	mu       sync.Mutex
	known    map[string]float64
	at       time.Time
}

// New has the rates of an upstream.
func New(upstream string) *Rates { return &Rates{upstream: upstream, known: map[string]float64{}} }

// Rate is what one euro is worth.
func (r *Rates) Rate(currency string) (float64, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if time.Since(r.at) > time.Second {
		clear(r.known)
		r.at = time.Now()
	}
	if rate, ok := r.known[currency]; ok {
		return rate, nil
	}
	rate, err := r.load(currency)
	if err == nil {
		r.known[currency] = rate
	}
	return rate, err
}

func (r *Rates) load(currency string) (rate float64, err error) {
	answer, err := http.Get(r.upstream + "/" + currency)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	_, err = fmt.Fscan(answer.Body, &rate)
	return rate, err
}
