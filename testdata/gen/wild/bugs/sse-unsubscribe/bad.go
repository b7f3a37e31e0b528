//go:build !fixed

package main

import (
	"context"

	"github.com/r3labs/sse/v2"
)

// follow waits until a build has begun, which is its first event.
func follow(_ context.Context, url, build string) error {
	client := sse.NewClient(url)
	events := make(chan *sse.Event)
	if err := client.SubscribeChan(build, events); err != nil {
		return err
	}
	<-events
	client.Unsubscribe(events)
	return nil
}
