// Command mail-groups sends newsletters. Each campaign sends to at most three receivers at a time, and each receiver's mail
// is put together by a group of its own; a mail takes its time.
package main

import (
	"context"
	"log"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"
	"wild/kit"
)

type campaign struct {
	name      string
	receivers int
}

// send sends a campaign, three mails at a time.
func (c campaign) send(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(3)
	for i := 0; i < c.receivers; i++ {
		receiver := i
		group.Go(func() error { return c.mail(ctx, receiver) })
	}
	return group.Wait()
}

// mail puts the parts of a mail together, two at a time.
func (c campaign) mail(ctx context.Context, receiver int) error {
	parts, ctx := errgroup.WithContext(ctx)
	parts.SetLimit(2)
	for part := 0; part < 8; part++ {
		parts.Go(func() error { return render(ctx) })
	}
	return parts.Wait()
}

// render waits for its turn at the template server.
func render(ctx context.Context) error {
	answer := make(chan struct{})
	timer := time.AfterFunc(25*time.Second, func() { close(answer) })
	defer timer.Stop()
	select {
	case <-answer:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func main() {
	kit.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	for _, name := range []string{"spring", "summer", "autumn", "winter", "members"} {
		c := campaign{name, 500}
		go func() {
			if err := c.send(ctx); err != nil {
				log.Print(c.name, err)
			}
		}()
	}
	<-ctx.Done()
}
