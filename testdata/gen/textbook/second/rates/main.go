// A till caches exchange rates and asks a bank for stale ones with the cache's lock held. The bank takes the connection
// and never answers, and thirty customers wait.
package main

import (
	"bufio"
	"fmt"
	"log"
	"net"
	"sync"
	"time"

	"example.com/textbook/kit"
)

type rates struct {
	sync.Mutex
	bank string
	euro map[string]string
	at   time.Time
}

func (r *rates) fetch(currency string) (string, error) {
	conn, err := net.Dial("tcp", r.bank)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	fmt.Fprintln(conn, currency)
	return bufio.NewReader(conn).ReadString('\n')
}

func (r *rates) get(currency string) string {
	r.Lock()
	defer r.Unlock()
	if time.Since(r.at) > 100*time.Millisecond {
		v, err := r.fetch(currency)
		if err != nil {
			log.Print(err)
		}
		r.euro[currency], r.at = v, time.Now()
	}
	return r.euro[currency]
}

func main() {
	kit.Start()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	till := &rates{bank: ln.Addr().String(), euro: map[string]string{}}
	for range 31 {
		go func() {
			for ; ; time.Sleep(10 * time.Millisecond) {
				till.get("CHF")
			}
		}()
	}
	for conns := []net.Conn{}; ; {
		if c, err := ln.Accept(); err == nil {
			conns = append(conns, c) // the bank is busy
		}
	}
}
