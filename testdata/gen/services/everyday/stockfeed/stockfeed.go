// Package stockfeed follows the stock of 300 shops through an embedded NATS server, with a subscription each.
//
// It looks like a leak of receivers (channel-receive-leak, loops-pile-up): 300 goroutines range over a channel each, and
// who started them has returned. A message to any shop wakes its goroutine; most shops sell nothing at night.
package stockfeed

import (
	"fmt"
	"time"

	"example.com/services/kit"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

type shop struct {
	name  string
	sold  int
	moves chan *nats.Msg
}

func (s *shop) follow() {
	for range s.moves {
		s.sold++
	}
}

// open subscribes to all shops.
func open(conn *nats.Conn, n int) error {
	for i := range n {
		s := &shop{name: fmt.Sprintf("stock.%d", i), moves: make(chan *nats.Msg, 16)}
		if _, err := conn.ChanSubscribe(s.name, s.moves); err != nil {
			return err
		}
		go s.follow()
	}
	return conn.Flush()
}

// Main starts the server and its clients.
func Main() {
	kit.Start()
	bus, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, NoLog: true, NoSigs: true})
	if err != nil {
		panic(err)
	}
	go bus.Start()
	if !bus.ReadyForConnections(5 * time.Second) {
		panic("the bus is not ready")
	}
	shops, err := nats.Connect(bus.ClientURL())
	if err != nil {
		panic(err)
	}
	if err := open(shops, 300); err != nil {
		panic(err)
	}
	tills, err := nats.Connect(bus.ClientURL())
	if err != nil {
		panic(err)
	}
	go func() {
		for i := 0; ; i++ {
			time.Sleep(45 * time.Second)
			tills.Publish(fmt.Sprintf("stock.%d", i%7), []byte("1"))
		}
	}()
	kit.Wait()
}
