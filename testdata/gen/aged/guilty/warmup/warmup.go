// Package warmup: a program that answers lookups from a cache that it fills at the start.
package warmup

import (
	"fmt"
	"log"
	"net"
	"time"

	"aged/guilty/warmup/cache"
)

// Main is the program.
func Main() {
	c := cache.New()
	go c.Refresh(15 * time.Second)
	go expire(c)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond) // register with the discovery
	c.WaitReady()
	log.Printf("serving on %s", l.Addr())
	for {
		conn, err := l.Accept()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Fprintln(conn, c.Len())
		conn.Close()
	}
}

func expire(c *cache.Cache) {
	for range time.Tick(5 * time.Second) {
		c.Expire()
	}
}
