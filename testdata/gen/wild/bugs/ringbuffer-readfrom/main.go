// Command ringbuffer-readfrom buffers what an instrument sends.
//
// https://github.com/smallnest/ringbuffer/issues/28
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"time"

	"github.com/smallnest/ringbuffer"

	"wild/kit"
)

func main() {
	kit.Serve()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go instrument(listener)
	conn, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		log.Fatal(err)
	}
	buffer := ringbuffer.New(4096).SetBlocking(true)
	go pump(buffer, conn)
	go evaluate(buffer)
	for range time.Tick(time.Second) {
		watch(buffer)
	}
}

// pump fills the buffer from the connection.
func pump(buffer *ringbuffer.RingBuffer, conn net.Conn) {
	if _, err := buffer.ReadFrom(conn); err != nil {
		log.Print(err)
	}
}

// evaluate reads measurements.
func evaluate(buffer *ringbuffer.RingBuffer) {
	b := make([]byte, 64)
	for {
		n, err := buffer.Read(b)
		if err != nil {
			log.Print(err)
			return
		}
		log.Printf("%d bytes", n)
	}
}

// watch says when the buffer is nearly full.
func watch(buffer *ringbuffer.RingBuffer) {
	if buffer.Free() < 1024 {
		log.Print("too slow")
	}
}

// instrument is the other end: it sends five values when it is switched on, and another one if something happens.
func instrument(listener net.Listener) {
	conn, err := listener.Accept()
	if err != nil {
		log.Fatal(err)
	}
	for n := range 5 {
		fmt.Fprintf(conn, "value %d\n", n)
		time.Sleep(300 * time.Millisecond)
	}
	io.Copy(io.Discard, conn) // until it is switched off
}
