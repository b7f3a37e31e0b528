// Command retryable-give-up asks a service that is overloaded.
//
// https://github.com/SolaceProducts/solace-broker-mcp/pull/90
package main

import (
	"log"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"wild/kit"
)

func main() {
	kit.Serve()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
		w.Write([]byte(strings.Repeat("overloaded ", 10_000)))
	}))
	client := retryablehttp.NewClient()
	client.RetryMax, client.RetryWaitMin, client.RetryWaitMax = 1, time.Millisecond, time.Millisecond
	client.ErrorHandler, client.Logger = giveUp, nil
	for range time.Tick(400 * time.Millisecond) {
		fetch(client, "http://"+listener.Addr().String())
	}
}

// fetch asks the service.
func fetch(client *retryablehttp.Client, url string) error {
	resp, err := client.Get(url)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
