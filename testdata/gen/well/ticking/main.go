// Command ticking is an agent that does little, on time: tickers, timers, cron jobs, sleeps, a poller of a file, a lease, and
// goroutines that wait for things that come once a day, or never.
package main

import (
	"context"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"example.com/well/dumper"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	a := &agent{configs: make(chan config), hup: make(chan os.Signal, 1), upgrade: make(chan struct{}), seen: map[string]time.Time{}}
	signal.Notify(a.hup, syscall.SIGHUP)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return
	}
	go http.Serve(l, http.NotFoundHandler())
	var loops sync.WaitGroup
	for _, loop := range a.loops() {
		loops.Add(1)
		go func(loop func(context.Context)) {
			defer loops.Done()
			loop(ctx)
		}(loop)
	}
	for _, job := range []struct {
		name  string
		every time.Duration
	}{{"sweep", 2 * time.Second}, {"rotate", 10 * time.Minute}, {"report", time.Hour}, {"renew", 24 * time.Hour}} {
		go a.cron(ctx, job.name, job.every)
	}
	dumper.Ready()
	loops.Wait()
}

type config struct{ pause time.Duration }

type agent struct {
	configs chan config
	hup     chan os.Signal
	upgrade chan struct{}

	mu   sync.Mutex
	seen map[string]time.Time
}

func (a *agent) note(name string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.seen[name] = time.Now()
}

func (a *agent) loops() []func(context.Context) {
	return []func(context.Context){a.heartbeat, a.flush, a.poll, a.reload, a.apply, a.awaitUpgrade, a.freeMemory}
}

func (a *agent) heartbeat(ctx context.Context) {
	go func() {
		for range time.Tick(100 * time.Millisecond) {
			a.note("pulse")
		}
	}()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			a.note("heartbeat")
		case <-ctx.Done():
			return
		}
	}
}

// flush waits with a timer that it sets anew.
func (a *agent) flush(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
			a.note("flush")
			timer.Reset(250 * time.Millisecond)
		case <-ctx.Done():
			return
		}
	}
}

// poll looks at a file that may come, and sleeps in between.
func (a *agent) poll(ctx context.Context) {
	for ctx.Err() == nil {
		if _, err := os.Stat("/nonexistent/agent.yaml"); err == nil {
			a.configs <- config{pause: time.Second}
		}
		time.Sleep(500 * time.Millisecond)
	}
}

// reload waits for SIGHUP.
func (a *agent) reload(ctx context.Context) {
	for {
		select {
		case <-a.hup:
			a.configs <- config{pause: time.Minute}
		case <-ctx.Done():
			return
		}
	}
}

// apply waits for configurations, which are rare.
func (a *agent) apply(ctx context.Context) {
	go func() {
		<-ctx.Done()
		close(a.configs)
	}()
	for c := range a.configs {
		a.note("config " + c.pause.String())
	}
}

// awaitUpgrade waits for something that most processes never see.
func (a *agent) awaitUpgrade(ctx context.Context) {
	go func() {
		<-ctx.Done()
		close(a.upgrade)
	}()
	<-a.upgrade
}

// freeMemory gives memory back: each time is a garbage collection, too.
func (a *agent) freeMemory(ctx context.Context) {
	for ctx.Err() == nil {
		time.Sleep(20 * time.Second)
		debug.FreeOSMemory()
	}
}

// cron does a job at each full multiple of a duration.
func (a *agent) cron(ctx context.Context, name string, every time.Duration) {
	for {
		next := time.Now().Truncate(every).Add(every)
		select {
		case <-time.After(time.Until(next)):
			a.note(name)
		case <-ctx.Done():
			return
		}
	}
}
