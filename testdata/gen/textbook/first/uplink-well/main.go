// Command uplink connects to an upstream that refuses, with a pause that doubles up to two seconds.
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
	pause := 50 * time.Millisecond
	for {
		conn, err := u.connect()
		if err != nil {
			time.Sleep(pause)
			pause = min(2*pause, 2*time.Second)
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
