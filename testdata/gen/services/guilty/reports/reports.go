// Package reports renders pages of reports side by side.
package reports

import (
	"fmt"
	"net/http"
	"time"

	"example.com/services/kit"
)

type page struct{ n int }

func render(jobs <-chan page, done chan<- int) {
	for p := range jobs {
		time.Sleep(time.Millisecond)
		done <- p.n
	}
}

func Report(pages int) (sum int) {
	jobs, done := make(chan page), make(chan int)
	for range 3 {
		go render(jobs, done)
	}
	go func() {
		for i := range pages {
			jobs <- page{i}
		}
	}()
	for range pages {
		sum += <-done
	}
	return sum
}

func Main() {
	kit.Start()
	url := kit.API(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprintln(w, Report(12)) }))
	kit.Ask(60, 50*time.Millisecond, url)
	kit.Ask(1000, 4*time.Second, url)
}
