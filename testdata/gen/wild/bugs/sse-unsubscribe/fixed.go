//go:build fixed

package main

import (
	"context"
	"strconv"

	"github.com/r3labs/sse/v2"
)

// follow waits until a build has ended, which is its last event. The subscription ends with the stream.
func follow(ctx context.Context, url, build string) error {
	client := sse.NewClient(url)
	events := make(chan *sse.Event)
	if err := client.SubscribeChanWithContext(ctx, build, events); err != nil {
		return err
	}
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case e := <-events:
			if string(e.ID) == strconv.Itoa(steps) {
				return nil
			}
		}
	}
}
