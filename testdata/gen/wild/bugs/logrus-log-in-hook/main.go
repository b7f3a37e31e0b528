// Command logrus-log-in-hook is a service whose workers log what they do; a hook forwards errors to an alarm.
//
// Report: https://github.com/sirupsen/logrus/issues/807
package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/sirupsen/logrus"
	"wild/kit"
)

const workers = 10

var errRefused = errors.New("the bank refused the order")

// A hook forwards entries to the alarm.
type hook struct {
	sent atomic.Int64
}

func (h *hook) Levels() []logrus.Level {
	return []logrus.Level{logrus.PanicLevel, logrus.FatalLevel, logrus.ErrorLevel}
}

// Fire forwards one entry, and says so in the log.
func (h *hook) Fire(e *logrus.Entry) error {
	e.Logger.Info("alarm sent, number ", h.sent.Add(1))
	return nil
}

// An order is what a worker books.
type order struct {
	id     int
	amount int
}

// book books an order; a few are refused.
func book(o order) error {
	time.Sleep(10 * time.Millisecond)
	if o.id%150 == 149 {
		return errRefused
	}
	return nil
}

// work books orders until there are no more.
func work(log *logrus.Entry, orders <-chan order) {
	for o := range orders {
		entry := log.WithField("order", o.id)
		if err := book(o); err != nil {
			entry.WithError(err).Error("not booked")
			continue
		}
		entry.Info("booked")
	}
}

// receive takes orders, fifty a second, as fast as the workers book them.
func receive(orders chan<- order) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for id := 0; ; id++ {
		<-tick.C
		orders <- order{id: id, amount: 100 + id%7}
	}
}

func main() {
	kit.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	logger := logrus.New()
	logger.SetOutput(io.Discard) // a file in real use
	logger.AddHook(&hook{})
	orders := make(chan order)
	for i := range workers {
		go work(logger.WithField("worker", i), orders)
	}
	go receive(orders)
	<-ctx.Done()
}
