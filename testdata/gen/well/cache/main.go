// Command cache has real contention: sixteen goroutines want one mutex all the time, sixteen more a read-write lock, and
// those who wait are served within a millisecond.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"example.com/well/cache/internal/store"
	"example.com/well/dumper"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	recent := store.NewRecent(256)
	for i := 0; i < 16; i++ {
		go useRecent(recent, i)
	}
	index := store.NewIndex()
	for i := 0; i < 14; i++ {
		go lookUp(index, i)
	}
	for i := 0; i < 2; i++ {
		go change(index, i)
	}
	go expire(ctx, recent)
	dumper.Ready()
	<-ctx.Done()
}

func useRecent(c *store.Recent, seed int) {
	for n := seed; ; n++ {
		key := fmt.Sprint("key ", n*31%400)
		if c.Get(key) == nil {
			c.Put(key, make([]byte, 512))
		}
	}
}

func lookUp(x *store.Index, seed int) {
	for n := seed; ; n++ {
		x.Find(n * 17 % 1000)
		if n%64 == 0 {
			time.Sleep(50 * time.Microsecond)
		}
	}
}

func change(x *store.Index, seed int) {
	for n := seed; ; n++ {
		x.Set(n*7%1000, n)
		time.Sleep(100 * time.Microsecond)
	}
}

// expire drops what was not used, twice a second.
func expire(ctx context.Context, c *store.Recent) {
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			c.Drop(8)
		}
	}
}
