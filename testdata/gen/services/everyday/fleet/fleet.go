// Package fleet passes the positions of vans on: a broker in the process, quiet subscribers, lists that block for work.
package fleet

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"example.com/services/kit"
	"github.com/alicebob/miniredis/v2"
	"github.com/fsnotify/fsnotify"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/redis/go-redis/v9"
)

// A tracker has the last position of each van.
type tracker struct {
	mu   sync.RWMutex
	last map[string]string
	rdb  *redis.Client
}

// onMove is called for each position; it is slow, and so the subscription has more than it has worked at.
func (t *tracker) onMove(m *nats.Msg) {
	time.Sleep(700 * time.Millisecond)
	t.mu.Lock()
	t.last[m.Subject] = string(m.Data)
	t.mu.Unlock()
	t.rdb.LPush(context.Background(), "alerts", m.Data)
}

// alerts waits for work in a list, and most of the workers never have any.
func (t *tracker) alerts(ctx context.Context, list string) {
	for ctx.Err() == nil {
		t.rdb.BLPop(ctx, 0, list)
	}
}

// reload waits for changes of a file.
func (t *tracker) reload(w *fsnotify.Watcher) {
	for {
		select {
		case _, ok := <-w.Events:
			if !ok {
				return
			}
		case _, ok := <-w.Errors:
			if !ok {
				return
			}
		}
	}
}

func Main() {
	kit.Start()
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, NoLog: true, NoSigs: true})
	if err != nil {
		panic(err)
	}
	s.Start()
	s.ReadyForConnections(10 * time.Second)
	lists, err := miniredis.Run()
	if err != nil {
		panic(err)
	}
	rdb := redis.NewClient(&redis.Options{Addr: lists.Addr(), PoolSize: 40})
	t := &tracker{last: map[string]string{}, rdb: rdb}
	nc, err := nats.Connect(s.ClientURL())
	if err != nil {
		panic(err)
	}
	nc.Subscribe("van.*", t.onMove)
	for i := range 80 {
		nc.Subscribe(fmt.Sprintf("depot.%d.>", i), t.onMove)
	}
	sync, _ := nc.SubscribeSync("orders.>")
	go func() {
		for {
			sync.NextMsg(30 * time.Minute)
		}
	}()
	for i := range 20 {
		go t.alerts(context.Background(), fmt.Sprint("alerts-", i))
	}
	go t.alerts(context.Background(), "alerts")
	file := filepath.Join(os.TempDir(), "fleet.conf")
	os.WriteFile(file, nil, 0o600)
	if w, err := fsnotify.NewWatcher(); err == nil {
		w.Add(file)
		go t.reload(w)
	}
	vans, err := nats.Connect(s.ClientURL())
	if err != nil {
		panic(err)
	}
	for i := 0; ; i++ {
		vans.Publish(fmt.Sprintf("van.%d", i%9), []byte(time.Now().String()))
		time.Sleep(500 * time.Millisecond)
	}
}
