// Command gochannel-subscribe-closed is a service whose parts talk by messages; one of them subscribes again after the
// channel was closed.
//
// https://github.com/ThreeDotsLabs/watermill/issues/317
package main

import (
	"context"
	"log"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/gochannel"

	"wild/kit"
)

func main() {
	kit.Serve()
	bus := gochannel.NewGoChannel(gochannel.Config{}, watermill.NopLogger{})
	go listen(bus)
	go announce(bus)
	time.Sleep(time.Second)
	if err := bus.Close(); err != nil {
		log.Fatal(err)
	}
	log.Print("closed")
	select {}
}

// listen handles messages; it subscribes anew when its channel ends.
func listen(bus *gochannel.GoChannel) {
	for {
		messages, err := bus.Subscribe(context.Background(), "orders")
		if err != nil {
			log.Print(err)
			time.Sleep(500 * time.Millisecond)
			continue
		}
		for m := range messages {
			m.Ack()
		}
	}
}

// announce sends messages.
func announce(bus *gochannel.GoChannel) {
	for range time.Tick(300 * time.Millisecond) {
		m := message.NewMessage(watermill.NewUUID(), []byte("shipped"))
		if err := bus.Publish("orders", m); err != nil {
			log.Print(err)
		}
	}
}
