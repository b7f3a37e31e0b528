// Package routes asks providers and takes the first answer; the others find room in the channel.
package routes

import (
	"net/http"
	"time"

	"example.com/services/kit"
)

func ask(delay time.Duration, answers chan<- time.Duration) {
	time.Sleep(delay)
	answers <- delay
}

func First() time.Duration {
	answers := make(chan time.Duration, 3)
	for i := range 3 {
		go ask(time.Duration(i+1)*700*time.Millisecond, answers)
	}
	return <-answers
}

func Main() {
	kit.Start()
	url := kit.API(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { First() }))
	kit.Ask(100000, 25*time.Millisecond, url)
}
