// Command gobreaker-counts-in-callback asks a rate service from several workers, through a circuit breaker.
//
// Report: https://github.com/sony/gobreaker/pull/119
package main

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	"github.com/sony/gobreaker"
	"wild/kit"
)

const workers = 6

var (
	breaker *gobreaker.CircuitBreaker
	client  = &http.Client{Timeout: 2 * time.Second}
)

// rates serves exchange rates on a free port and returns its URL. The service is down every other minute.
func rates() string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	start := time.Now()
	mux := http.NewServeMux()
	mux.HandleFunc("/rate", func(w http.ResponseWriter, r *http.Request) {
		if age := time.Since(start); age > 3*time.Second && int(age.Minutes())%2 == 0 {
			http.Error(w, "upstream is down", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "1.0842")
	})
	go http.Serve(listener, mux)
	return "http://" + listener.Addr().String() + "/rate"
}

// ask gets one rate through the breaker.
func ask(url string) (string, error) {
	rate, err := breaker.Execute(func() (interface{}, error) {
		answer, err := client.Get(url)
		if err != nil {
			return nil, err
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			return nil, err
		}
		if answer.StatusCode != http.StatusOK {
			return nil, errors.New(answer.Status)
		}
		return string(body), nil
	})
	if err != nil {
		return "", err
	}
	return rate.(string), nil
}

// poll asks for a rate four times a second.
func poll(url string, results chan<- error) {
	tick := time.NewTicker(250 * time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		_, err := ask(url)
		results <- err
	}
}

func main() {
	kit.Serve()
	breaker = gobreaker.NewCircuitBreaker(gobreaker.Settings{
		Name:          "rates",
		Timeout:       5 * time.Second,
		OnStateChange: changed,
	})
	url := rates()
	results := make(chan error, workers)
	for range workers {
		go poll(url, results)
	}
	failed := 0
	for err := range results {
		if err == nil {
			continue
		}
		if failed++; failed%100 == 1 {
			log.Printf("%d requests failed, the last: %v", failed, err)
		}
	}
}
