// Command redis-ring-heartbeat is an exporter: it asks the cache servers of several tenants in turn whether they are
// there, and shows the answers. The servers are down.
//
// https://github.com/go-redis/redis/pull/2157
package main

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/go-redis/redis/v8"

	"wild/kit"
)

const (
	server  = "127.0.0.1:1"          // nobody listens on it
	asking  = 250 * time.Millisecond // between two tenants
	timeout = 100 * time.Millisecond
)

var tenants = []string{"atlas", "basalt", "cedar", "delta"}

// An exporter remembers which tenants' servers answered.
type exporter struct {
	mu sync.Mutex
	up map[string]bool
}

func main() {
	kit.Serve()
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer cancel()

	redis.SetLogger(quiet{log.New(io.Discard, "", 0)})
	e := &exporter{up: map[string]bool{}}
	http.HandleFunc("/up", e.show)
	e.run(ctx)
}

// run asks one tenant after the other.
func (e *exporter) run(ctx context.Context) {
	ticker := time.NewTicker(asking)
	defer ticker.Stop()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		tenant := tenants[n%len(tenants)]
		err := ping(ctx)
		e.mu.Lock()
		e.up[tenant] = err == nil
		e.mu.Unlock()
	}
}

// show answers with what is known.
func (e *exporter) show(w http.ResponseWriter, _ *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	json.NewEncoder(w).Encode(e.up)
}

// options are those of every ring.
func options() *redis.RingOptions {
	return &redis.RingOptions{
		Addrs:       map[string]string{"shard1": server},
		DialTimeout: timeout,
		ReadTimeout: timeout,
		MaxRetries:  -1,
	}
}

// quiet keeps the client's reports out of the log: /up says the same.
type quiet struct{ *log.Logger }

func (q quiet) Printf(_ context.Context, format string, v ...interface{}) {
	q.Logger.Printf(format, v...)
}
