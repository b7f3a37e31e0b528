// Command uplink connects to an upstream that refuses, again and again, without a pause.
package main

import (
	"fmt"
	"io"
	"net"
	"time"

	"example.com/textbook/kit"
)

type uplink struct {
	address string
	tries   int
}

func (u *uplink) connect() (net.Conn, error) {
	u.tries++
	return net.DialTimeout("tcp", u.address, time.Second)
}

func (u *uplink) run() {
	for {
		conn, err := u.connect()
		if err != nil {
			continue
		}
		io.Copy(io.Discard, conn)
		conn.Close()
	}
}

func main() {
	kit.Start()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	l.Close()
	u := &uplink{address: l.Addr().String()}
	go u.run()
	for range time.Tick(time.Minute) {
		fmt.Println("connecting to", u.address)
	}
}
