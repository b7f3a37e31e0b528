// Package presence follows 150 rooms by go-redis, with a subscription each.
//
// It looks like receivers that nobody serves (channel-receive-leak, loops-pile-up): 150 goroutines range over a channel
// each, made by a function that has returned. Rooms are quiet at night.
package presence

import (
	"context"
	"fmt"
	"time"

	"example.com/services/kit"
	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
)

type room struct {
	sub  *redis.PubSub
	seen int
}

func (r *room) follow() {
	for range r.sub.Channel() {
		r.seen++
	}
}

func open(ctx context.Context, client *redis.Client, n int) error {
	for i := range n {
		r := &room{sub: client.Subscribe(ctx, fmt.Sprint("room-", i))}
		if _, err := r.sub.Receive(ctx); err != nil {
			return err
		}
		go r.follow()
	}
	return nil
}

// Main opens all rooms.
func Main() {
	kit.Start()
	ctx := context.Background()
	store, err := miniredis.Run()
	if err != nil {
		panic(err)
	}
	client := redis.NewClient(&redis.Options{Addr: store.Addr()})
	if err := open(ctx, client, 150); err != nil {
		panic(err)
	}
	go func() {
		for i := 0; ; i++ {
			time.Sleep(35 * time.Second)
			client.Publish(ctx, fmt.Sprint("room-", i%4), "here")
		}
	}()
	kit.Wait()
}
