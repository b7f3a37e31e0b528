// Package intake takes orders from NATS, eight at a time: the callback waits for a slot before it starts an order.
//
// It looks like a callback that blocks its subscription (callback-blocked, loop-stuck): it waits to send to the channel
// of slots. An order takes four seconds, so the callback goes on twice a second: that is how it slows NATS down.
package intake

import (
	"net/http"
	"time"

	"example.com/services/kit"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

func shop(w http.ResponseWriter, r *http.Request) { time.Sleep(4 * time.Second) }

type intake struct {
	slots chan struct{}
	shop  string
}

func (i *intake) receive(m *nats.Msg) {
	i.slots <- struct{}{}
	go i.order(m.Data)
}

func (i *intake) order([]byte) {
	defer func() { <-i.slots }()
	if answer, err := http.Get(i.shop); err == nil {
		answer.Body.Close()
	}
}

// Main takes orders.
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
	conn, err := nats.Connect(broker.ClientURL())
	if err != nil {
		panic(err)
	}
	i := &intake{make(chan struct{}, 8), kit.API(http.HandlerFunc(shop))}
	if _, err := conn.Subscribe("orders", i.receive); err != nil {
		panic(err)
	}
	for {
		conn.Publish("orders", []byte("one"))
		time.Sleep(400 * time.Millisecond)
	}
}
