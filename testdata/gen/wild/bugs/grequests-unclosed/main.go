// Command grequests-unclosed asks for prices.
//
// https://github.com/levigross/grequests/issues/103
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"wild/kit"
)

var asked atomic.Int64

func main() {
	kit.Serve()
	shop := open()
	go func() {
		for range time.Tick(400 * time.Millisecond) {
			if err := price(shop, asked.Add(1)); err != nil {
				log.Print(err)
			}
		}
	}()
	for range time.Tick(10 * time.Second) {
		log.Print(asked.Load(), " prices")
	}
}

// address is where the price of a thing is.
func address(shop string, thing int64) string { return fmt.Sprintf("http://%s/prices/%d", shop, thing) }

// open is the other end: the shop.
func open() string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, strings.Repeat("<li>a price", 1000))
	}))
	return listener.Addr().String()
}
