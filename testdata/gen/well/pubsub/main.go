// Command pubsub is a broker of events inside one process: 300 subscribers range over a channel each, started by goroutines
// that are gone. Publishers wait for slow subscribers with the topic's lock held for reading, while others come and go.
package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"example.com/well/dumper"
	"example.com/well/pubsub/internal/broker"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	b := broker.New()
	startSubscribers(b)
	for _, topic := range []string{"orders", "stock", "audit"} {
		for i := 0; i < 3; i++ {
			go publish(ctx, b, topic)
		}
	}
	go comeAndGo(ctx, b)
	dumper.Ready()
	<-ctx.Done()
}

// startSubscribers starts ten groups of thirty side by side: nothing is ever published to five of the topics.
func startSubscribers(b *broker.Broker) {
	topics := []string{"orders", "stock", "refunds", "recalls", "outages", "audit", "quotas", "orders", "stock", "leases"}
	var started sync.WaitGroup
	for _, topic := range topics {
		started.Add(1)
		go func(topic string) {
			defer started.Done()
			for i := 0; i < 30; i++ {
				go consume(topic, b.Subscribe(topic))
			}
		}(topic)
	}
	started.Wait()
}

// consume does what the topic asks for: audit records take their time.
func consume(topic string, events <-chan broker.Event) {
	sum := fnv.New64a()
	for e := range events {
		fmt.Fprintln(sum, topic, e.Number)
		if topic == "audit" {
			time.Sleep(15 * time.Millisecond)
		}
	}
}

func publish(ctx context.Context, b *broker.Broker, topic string) {
	for n := 0; ctx.Err() == nil; n++ {
		b.Publish(topic, broker.Event{Number: n})
		time.Sleep(20 * time.Millisecond)
	}
}

// comeAndGo is a dashboard that looks at a topic for a moment, again and again: each time it takes the lock for writing.
func comeAndGo(ctx context.Context, b *broker.Broker) {
	for ctx.Err() == nil {
		events := b.Subscribe("audit")
		for i := 0; i < 5; i++ {
			fmt.Fprint(io.Discard, <-events)
		}
		go b.Unsubscribe("audit", events)
		for range events {
		}
	}
}
