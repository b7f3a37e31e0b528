// Package daemon is the innocent part of the program: what a server does while nothing is wrong with it.
package daemon

import (
	"context"
	"net"
	"net/http"
	"time"
)

// A Daemon serves HTTP and keeps its house.
type Daemon struct {
	ctx      context.Context
	cancel   context.CancelFunc
	listener net.Listener
	server   *http.Server
	lines    chan string
	metrics  *Metrics
}

// Listen opens a port of this machine.
func Listen() (*Daemon, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	d := &Daemon{listener: l, lines: make(chan string, 16), metrics: newMetrics()}
	d.ctx, d.cancel = context.WithCancel(context.Background())
	mux := http.NewServeMux()
	mux.HandleFunc("/healthz", d.health)
	d.server = &http.Server{Handler: mux}
	return d, nil
}

func (d *Daemon) health(w http.ResponseWriter, r *http.Request) {
	d.metrics.Add("health", 1)
	w.Write([]byte("ok\n"))
}

// StartFew starts what every server has: the port, a logger, two tickers.
func (d *Daemon) StartFew() {
	go d.server.Serve(d.listener)
	go d.writeLines()
	go d.tick("uptime", 700*time.Millisecond)
	go d.tick("heartbeat", 1100*time.Millisecond)
}

// Stop ends everything.
func (d *Daemon) Stop() {
	d.cancel()
	d.server.Close()
}

// writeLines writes log lines until the daemon stops.
func (d *Daemon) writeLines() {
	for {
		select {
		case line := <-d.lines:
			d.metrics.Add("bytes", len(line))
		case <-d.ctx.Done():
			return
		}
	}
}

// tick counts at an interval.
func (d *Daemon) tick(name string, every time.Duration) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			d.metrics.Add(name, 1)
			d.lines <- name
		case <-d.ctx.Done():
			return
		}
	}
}
