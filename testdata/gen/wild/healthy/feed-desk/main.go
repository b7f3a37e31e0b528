// Command feed-desk reads the feeds of exchanges and hands what they send to the desks that want it. The exchanges are
// closed at night, and the feeds silent.
package main

import (
	"bufio"
	"log"
	"net"
	"time"

	"wild/kit"
)

type feed struct {
	name  string
	desks []chan string
}

// subscribe gives a desk a channel of its own.
func (f *feed) subscribe() <-chan string {
	c := make(chan string, 16)
	f.desks = append(f.desks, c)
	return c
}

// read hands on what the exchange sends.
func (f *feed) read(conn net.Conn) {
	for lines := bufio.NewScanner(conn); lines.Scan(); {
		for _, d := range f.desks {
			d <- lines.Text()
		}
	}
	for _, d := range f.desks {
		close(d)
	}
}

func desk(name string, trades <-chan string) {
	for trade := range trades {
		log.Printf("%s: %s", name, trade)
	}
}

// exchange plays the other side, which is closed at this hour.
func exchange(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		time.AfterFunc(10*time.Hour, func() { conn.Write([]byte("open\n")) })
	}
}

func main() {
	kit.Serve()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go exchange(l)
	for _, name := range []string{"east", "west"} {
		f := &feed{name: name}
		for i := 0; i < 20; i++ {
			go desk(name, f.subscribe())
		}
		conn, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			log.Fatal(err)
		}
		go f.read(conn)
	}
	select {}
}
