// Package gateway starts its parts and waits for all of them, which is for as long as it lives.
package gateway

import (
	"net"
	"net/http"
	"sync"
	"time"

	"example.com/services/kit"
)

func listen() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	return http.Serve(l, http.NotFoundHandler())
}

func collect(c <-chan int) {
	for range c {
	}
}

func sweep() {
	for range time.Tick(3 * time.Minute) {
	}
}

func Main() {
	kit.Start()
	var wg sync.WaitGroup
	spans := make(chan int)
	for _, part := range []func(){func() { listen() }, func() { listen() }, func() { collect(spans) }, sweep} {
		wg.Add(1)
		go func() { defer wg.Done(); part() }()
	}
	wg.Wait()
}
