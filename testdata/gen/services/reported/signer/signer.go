// Package signer signs with keys that other hosts have.
package signer

import (
	"io"
	"log"
	"net"
	"time"

	"example.com/services/kit"
	"example.net/lib/keyless"
)

func accept(l net.Listener) {
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		go io.Copy(io.Discard, c)
	}
}

func reader(c *keyless.Conn) {
	for {
		if err := c.DoRead(); err != nil {
			return
		}
	}
}

func Main(fixed bool) {
	kit.Start()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go accept(l)
	for n := 0; ; n++ {
		c, err := keyless.Dial(l.Addr().String(), fixed)
		if err != nil {
			log.Fatal(err)
		}
		go reader(c)
		time.Sleep(500 * time.Millisecond)
		if n < 12 || fixed {
			go c.Close()
		}
		if n >= 12 {
			time.Sleep(2 * time.Second)
		}
	}
}
