// Stamps is a collectors' club. An album is made without its map of stamps, and the first stamp that a member marks is
// written to nil.
package main

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"net"
	"os/signal"
	"syscall"
	"time"

	"example.com/textbook/kit"
	"example.com/textbook/second/stamps/album"
)

// club takes lines such as "mark ann penny-black" over TCP.
type club struct {
	ln     net.Listener
	albums map[string]*album.Album
	marks  chan mark
}

type mark struct{ who, what string }

func (c *club) accept() {
	for {
		conn, err := c.ln.Accept()
		if err != nil {
			return
		}
		go c.talk(conn)
	}
}

func (c *club) talk(conn net.Conn) {
	defer conn.Close()
	for s := bufio.NewScanner(conn); s.Scan(); {
		var m mark
		if n, _ := fmt.Sscanf(s.Text(), "mark %s %s", &m.who, &m.what); n == 2 {
			c.marks <- m
		}
		fmt.Fprintln(conn, "ok")
	}
}

// clerk writes albums.
func (c *club) clerk(ctx context.Context) error {
	for {
		select {
		case m := <-c.marks:
			a, ok := c.albums[m.who]
			if !ok {
				a = album.New(m.who)
				c.albums[m.who] = a
			}
			a.Mark(m.what, time.Now())
		case <-ctx.Done():
			return c.ln.Close()
		}
	}
}

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	c := &club{ln: ln, albums: map[string]*album.Album{}, marks: make(chan mark)}
	go c.accept()
	go member(ln.Addr().String(), "ann")
	go member(ln.Addr().String(), "joe")
	if err := c.clerk(ctx); err != nil {
		log.Fatal(err)
	}
}

// member marks a stamp each second, after a look around.
func member(addr, name string) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return
	}
	defer conn.Close()
	for n := 0; ; n++ {
		time.Sleep(800 * time.Millisecond)
		fmt.Fprintf(conn, "mark %s no-%d\n", name, n%90)
		if _, err := bufio.NewReader(conn).ReadString('\n'); err != nil {
			return
		}
	}
}
