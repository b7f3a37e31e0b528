// Command stomp-unsubscribe-receipt reads prices from a broker; it plays the broker too.
//
// https://github.com/go-stomp/stomp/pull/133
package main

import (
	"fmt"
	"log"
	"net"
	"time"

	"github.com/go-stomp/stomp/v3"
	"github.com/go-stomp/stomp/v3/frame"

	"wild/kit"
)

func main() {
	kit.Serve()
	here, there := net.Pipe()
	go broker(there)
	conn, err := stomp.Connect(here, stomp.ConnOpt.HeartBeat(0, 0))
	if err != nil {
		log.Fatal(err)
	}
	done := make(chan bool)
	go func() {
		follow(conn)
		close(done)
	}()
	select {
	case <-done:
		log.Print("read all")
	case <-time.After(5 * time.Second):
		log.Print("still reading")
	}
	for range time.Tick(time.Second) {
		if err := conn.Send("/queue/alive", "text/plain", []byte("yes")); err != nil {
			log.Fatal(err)
		}
	}
}

// follow reads some prices.
func follow(conn *stomp.Conn) {
	prices, err := conn.Subscribe("/topic/prices", stomp.AckAuto)
	if err != nil {
		log.Fatal(err)
	}
	for range 3 {
		m := <-prices.C
		log.Printf("%s", m.Body)
	}
	if err := prices.Unsubscribe(); err != nil {
		log.Print(err)
	}
}

// broker is the other side.
func broker(conn net.Conn) {
	reader, writer := frame.NewReader(conn), frame.NewWriter(conn)
	for {
		f, err := reader.Read()
		if err != nil {
			log.Fatal(err)
		}
		if f == nil {
			continue
		}
		switch f.Command {
		case frame.CONNECT, frame.STOMP:
			writer.Write(frame.New(frame.CONNECTED, frame.Version, "1.2"))
		case frame.SUBSCRIBE:
			for i := range 3 {
				m := frame.New(frame.MESSAGE, frame.Destination, "/topic/prices", frame.Subscription,
					f.Header.Get(frame.Id), frame.MessageId, fmt.Sprint(i))
				m.Body = []byte(fmt.Sprint(100 + i))
				writer.Write(m)
			}
		case frame.UNSUBSCRIBE:
			unsubscribed(writer, f)
		}
	}
}
