// Package mqttfleet is a broker (mochi) with 150 devices (paho) that report once an hour, and an actor for each device.
//
// It looks like loops that pile up (loops-pile-up, select-leak, channel-receive-leak): hundreds of goroutines in one
// select, whose starters have returned. Each belongs to a device; their number is fixed.
package mqttfleet

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"time"

	"example.com/services/kit"
	paho "github.com/eclipse/paho.mqtt.golang"
	mqtt "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/hooks/auth"
	"github.com/mochi-mqtt/server/v2/listeners"
)

// A twin is what is known of a device.
type twin struct {
	inbox chan []byte
	last  []byte
}

func (t *twin) run(ctx context.Context) {
	for {
		select {
		case t.last = <-t.inbox:
		case <-ctx.Done():
			return
		}
	}
}

func (t *twin) receive(_ paho.Client, m paho.Message) { t.inbox <- m.Payload() }

func twins(ctx context.Context, client paho.Client, n int) error {
	for i := range n {
		t := &twin{inbox: make(chan []byte, 8)}
		go t.run(ctx)
		if token := client.Subscribe(fmt.Sprint("device/", i), 1, t.receive); token.Wait() && token.Error() != nil {
			return token.Error()
		}
	}
	return nil
}

func connect(url, name string) paho.Client {
	client := paho.NewClient(paho.NewClientOptions().AddBroker(url).SetClientID(name))
	if token := client.Connect(); token.Wait() && token.Error() != nil {
		panic(token.Error())
	}
	return client
}

func report(client paho.Client, i int) {
	time.Sleep(time.Duration(i) * 24 * time.Second)
	for {
		client.Publish(fmt.Sprint("device/", i), 1, false, "ok").Wait()
		time.Sleep(time.Hour)
	}
}

// Main starts the broker and all devices.
func Main() {
	kit.Start()
	broker := mqtt.New(&mqtt.Options{Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	broker.AddHook(new(auth.AllowHook), nil)
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	if err := broker.AddListener(listeners.NewNet("tcp", free)); err != nil {
		panic(err)
	}
	go broker.Serve()
	url := "tcp://" + free.Addr().String()
	if err := twins(context.Background(), connect(url, "twins"), 300); err != nil {
		panic(err)
	}
	for i := range 150 {
		go report(connect(url, fmt.Sprint("device-", i)), i)
	}
	kit.Wait()
}
