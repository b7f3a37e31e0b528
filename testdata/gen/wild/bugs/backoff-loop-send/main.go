// Command backoff-loop-send delivers webhooks. Each delivery is tried again a few times; the receiver is slow and
// accepts most of them at once.
//
// https://github.com/lestrrat-go/backoff/pull/30
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/lestrrat-go/backoff/v2"

	"wild/kit"
)

const (
	workers = 3
	arrival = 250 * time.Millisecond // between two webhooks
	pause   = 20 * time.Millisecond  // between two tries
	answer  = 100 * time.Millisecond // of the receiver
	tries   = 10
)

var errRefused = errors.New("the receiver refused it")

// policy says when a delivery is tried again.
var policy = backoff.Constant(backoff.WithInterval(pause), backoff.WithMaxRetries(tries))

// A webhook is a message to be delivered.
type webhook struct {
	id, tried int
}

var delivered atomic.Int64

func main() {
	kit.Serve()
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer cancel()

	http.HandleFunc("/delivered", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, delivered.Load(), "webhooks are delivered")
	})
	queue := make(chan *webhook, workers)
	for range workers {
		go worker(ctx, queue)
	}
	arrivals := time.NewTicker(arrival)
	defer arrivals.Stop()
	for id := 0; ; id++ {
		select {
		case <-ctx.Done():
			return
		case <-arrivals.C:
			queue <- &webhook{id: id}
		}
	}
}

// worker delivers webhooks.
func worker(ctx context.Context, queue <-chan *webhook) {
	for hook := range queue {
		if err := retry(ctx, hook); err != nil {
			log.Printf("webhook %d: %v", hook.id, err)
			continue
		}
		delivered.Add(1)
	}
}

// retry delivers a webhook, if need be in several tries.
func retry(ctx context.Context, hook *webhook) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	controller := policy.Start(ctx)
	err := errRefused
	for err != nil {
		select {
		case <-controller.Done():
			return err
		case <-controller.Next():
			err = post(hook)
		}
	}
	return nil
}

// post plays the receiver.
func post(hook *webhook) error {
	time.Sleep(answer)
	hook.tried++
	if hook.id%10 == 9 && hook.tried == 1 {
		return errRefused
	}
	return nil
}
