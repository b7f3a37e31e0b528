// Command ping checks hosts with a client that has no time-out; the hosts accept and say nothing.
package main

import (
	"fmt"
	"net"
	"net/http"

	"example.com/textbook/kit"
)

var client = &http.Client{}

func check(host string) {
	answer, err := client.Get("http://" + host + "/healthz")
	if err != nil {
		fmt.Println(host, err)
		return
	}
	answer.Body.Close()
}

func main() {
	kit.Start()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() {
		for {
			if _, err := l.Accept(); err != nil {
				return
			}
		}
	}()
	for range 25 {
		go func() {
			for {
				check(l.Addr().String())
			}
		}()
	}
	select {}
}
