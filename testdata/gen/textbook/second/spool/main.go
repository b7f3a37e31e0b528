// Spool reads print jobs from one FIFO for each printer. Nobody writes to them, so 180 goroutines are inside open, each
// with a thread.
package main

import (
	"context"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"example.com/textbook/kit"
	"example.com/textbook/second/spool/lpd"
)

const printers = 180

func main() {
	kit.Start()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	if err := run(ctx); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "spool")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	s := lpd.Spool{Dir: dir, Jobs: make(chan lpd.Job, 10)}
	for n := range printers {
		if err := s.Make(n); err != nil {
			return err
		}
		go s.Attach(n)
	}
	go account(s.Jobs)

	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Write([]byte(strconv.Itoa(printers) + " printers\n"))
	})}
	go srv.Serve(ln)
	go panel(ctx, "http://"+ln.Addr().String())
	<-ctx.Done()
	return srv.Close()
}

// account adds up pages.
func account(jobs <-chan lpd.Job) {
	pages := map[int]int{}
	for j := range jobs {
		pages[j.Printer] += j.Pages
	}
}

// panel shows how many printers there are.
func panel(ctx context.Context, url string) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if res, err := http.Get(url); err == nil {
				res.Body.Close()
			}
		case <-ctx.Done():
			return
		}
	}
}
