// Package payments asks a bank and tells what came of it.
package payments

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"example.com/services/kit"
)

var errRefused = errors.New("refused")

type Bank struct{}

func (b *Bank) authorize(amount int, result chan error) {
	time.Sleep(5 * time.Millisecond)
	if amount%3 == 0 {
		result <- errRefused
	}
	result <- nil
}

func (b *Bank) Pay(amount int) error {
	result := make(chan error)
	go b.authorize(amount, result)
	return <-result
}

func Main() {
	kit.Start()
	b, n := &Bank{}, 0
	url := kit.API(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { n++; fmt.Fprintln(w, b.Pay(n)) }))
	kit.Ask(160, 40*time.Millisecond, url)
	kit.Ask(1000, time.Second, url)
}
