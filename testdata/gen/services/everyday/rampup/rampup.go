// Package rampup starts: it opens a subscription of NATS for each of 900 tenants, one in 150 milliseconds.
//
// It looks like goroutines that grow (growing-goroutines, goroutine-pile-up, channel-receive-leak): a minute after the
// start there are half as many as half a minute later. After two minutes and a quarter all tenants have one.
package rampup

import (
	"fmt"
	"time"

	"example.com/services/kit"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

type tenant struct{ sub *nats.Subscription }

func (t *tenant) consume() {
	for {
		if _, err := t.sub.NextMsg(time.Hour); err != nil {
			return
		}
	}
}

func start(bus *nats.Conn, name string) error {
	sub, err := bus.SubscribeSync(name)
	if err != nil {
		return err
	}
	go (&tenant{sub}).consume()
	return nil
}

// Main starts all tenants.
func Main() {
	kit.Start()
	broker, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, NoLog: true, NoSigs: true})
	if err != nil {
		panic(err)
	}
	go broker.Start()
	if !broker.ReadyForConnections(5 * time.Second) {
		panic("the broker is not ready")
	}
	bus, err := nats.Connect(broker.ClientURL())
	if err != nil {
		panic(err)
	}
	for i := range 900 {
		if err := start(bus, fmt.Sprint("tenant.", i)); err != nil {
			panic(err)
		}
		time.Sleep(150 * time.Millisecond)
	}
	kit.Wait()
}
