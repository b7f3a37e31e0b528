// Command rpcmux is a client that has 150 calls under way on one connection: each waits on a channel of its own for an answer,
// which comes after milliseconds for some and after minutes for others; and actors that ask each other.
package main

import (
	"fmt"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"example.com/well/dumper"
	"example.com/well/rpcmux/internal/mux"
)

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, "rpcmux:", err)
		os.Exit(1)
	}
	go mux.Serve(l)
	c, err := mux.Dial(l.Addr().String())
	if err != nil {
		fmt.Fprintln(os.Stderr, "rpcmux:", err)
		os.Exit(1)
	}
	startCalls(c)
	startActors(60)
	dumper.Ready()
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	<-stop
}

// startCalls starts watches, that are answered rarely, and questions, that are answered at once.
func startCalls(c *mux.Client) {
	for i := 0; i < 100; i++ {
		go watchKey(c, i)
	}
	for i := 0; i < 50; i++ {
		go ask(c)
	}
}

func watchKey(c *mux.Client, key int) {
	for {
		if err := c.Call(time.Duration(20+key*4) * time.Second); err != nil {
			return
		}
	}
}

func ask(c *mux.Client) {
	for {
		if err := c.CallWithin(40*time.Millisecond, 10*time.Second); err != nil {
			return
		}
		time.Sleep(60 * time.Millisecond)
	}
}
