// Package trams tells stops when the next tram comes: streams that are read when there is something, and quiet topics.
package trams

import (
	"context"
	"fmt"
	"sync"
	"time"

	"example.com/services/kit"
	"github.com/alicebob/miniredis/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/redis/go-redis/v9"
)

// A stop is told of trams.
type stop struct {
	mu    sync.Mutex
	next  map[string]time.Time
	rdb   *redis.Client
	board chan *nats.Msg
}

// show reads a channel that is often empty.
func (s *stop) show() {
	for m := range s.board {
		s.mu.Lock()
		time.Sleep(300 * time.Millisecond) // the letters turn
		s.next[m.Subject] = time.Now()
		s.mu.Unlock()
	}
}

// answer is asked by others, and waits for its turn.
func (s *stop) answer(m *nats.Msg) {
	s.mu.Lock()
	n := len(s.next)
	s.mu.Unlock()
	m.Respond([]byte(fmt.Sprint(n)))
}

// delays reads a stream; it blocks without end.
func (s *stop) delays(ctx context.Context, line string) {
	last := "$"
	for ctx.Err() == nil {
		got, err := s.rdb.XRead(ctx, &redis.XReadArgs{Streams: []string{line, last}, Block: 0}).Result()
		if err != nil {
			time.Sleep(time.Second)
			continue
		}
		for _, m := range got[0].Messages {
			last = m.ID
		}
	}
}

// news is a subscription with few messages.
func (s *stop) news(ctx context.Context) {
	sub := s.rdb.Subscribe(ctx, "news")
	defer sub.Close()
	for range sub.Channel() {
		time.Sleep(100 * time.Millisecond)
	}
}

func Main() {
	kit.Start()
	broker, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, NoLog: true, NoSigs: true})
	if err != nil {
		panic(err)
	}
	broker.Start()
	broker.ReadyForConnections(10 * time.Second)
	store, err := miniredis.Run()
	if err != nil {
		panic(err)
	}
	ctx := context.Background()
	rdb := redis.NewClient(&redis.Options{Addr: store.Addr(), PoolSize: 80})
	for i := range 30 {
		nc, err := nats.Connect(broker.ClientURL())
		if err != nil {
			panic(err)
		}
		s := &stop{next: map[string]time.Time{}, rdb: rdb, board: make(chan *nats.Msg, 4)}
		nc.ChanSubscribe(fmt.Sprintf("tram.%d", i), s.board)
		nc.QueueSubscribe("ask", "stops", s.answer)
		nc.Subscribe(fmt.Sprintf("closed.%d", i), s.answer)
		go s.show()
		go s.delays(ctx, fmt.Sprint("line-", i))
		go s.news(ctx)
	}
	nc, err := nats.Connect(broker.ClientURL())
	if err != nil {
		panic(err)
	}
	for i := 0; ; i++ {
		nc.Publish(fmt.Sprintf("tram.%d", i%5), nil)
		nc.Request("ask", nil, 2*time.Second)
		if i%40 == 0 {
			rdb.Publish(ctx, "news", "snow")
		}
		time.Sleep(250 * time.Millisecond)
	}
}
