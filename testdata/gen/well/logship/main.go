// Command logship collects log lines of child processes and of its own parts, and sends them over HTTP in batches: pipes,
// scanners, a child that is waited for, a buffer with a bound, and a destination that is unwell at times.
package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"example.com/well/dumper"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "emit" {
		emit()
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "logship:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	url, err := destination()
	if err != nil {
		return err
	}
	lines := make(chan string, 256)
	for i := 0; i < 3; i++ {
		if err := supervise(ctx, lines); err != nil {
			return err
		}
	}
	tagged := newTagged(lines)
	for i := 0; i < 12; i++ {
		go work(tagged, i)
	}
	batches := make(chan []string)
	go gather(ctx, lines, batches)
	for i := 0; i < 2; i++ {
		go ship(ctx, url, batches)
	}
	dumper.Ready()
	<-ctx.Done()
	return nil
}

// emit is the child: a line every few milliseconds.
func emit() {
	for n := 0; ; n++ {
		if _, err := fmt.Println("line", n); err != nil {
			return
		}
		time.Sleep(8 * time.Millisecond)
	}
}

// supervise starts a child and reads its lines. The child ends when nobody reads them any more.
func supervise(ctx context.Context, lines chan<- string) error {
	child := exec.CommandContext(ctx, os.Args[0], "emit")
	out, err := child.StdoutPipe()
	if err != nil {
		return fmt.Errorf("making a pipe: %w", err)
	}
	if err := child.Start(); err != nil {
		return fmt.Errorf("starting a child: %w", err)
	}
	go func() {
		scan(out, lines)
		child.Wait()
	}()
	return nil
}

func scan(r io.Reader, lines chan<- string) {
	for s := bufio.NewScanner(r); s.Scan(); {
		lines <- s.Text()
	}
}

// newTagged is a logger whose lines take the same way, through a pipe.
func newTagged(lines chan<- string) *log.Logger {
	r, w := io.Pipe()
	go scan(r, lines)
	return log.New(w, "own: ", log.LstdFlags)
}

func work(l *log.Logger, part int) {
	for n := 0; ; n++ {
		l.Printf("part %d did piece %d", part, n)
		time.Sleep(time.Duration(20+part) * time.Millisecond)
	}
}

// gather makes batches: full ones, or what there is after half a second.
func gather(ctx context.Context, lines <-chan string, batches chan<- []string) {
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	var batch []string
	for {
		select {
		case <-ctx.Done():
			close(batches)
			return
		case line := <-lines:
			batch = append(batch, line)
			if len(batch) < 100 {
				continue
			}
		case <-tick.C:
			if len(batch) == 0 {
				continue
			}
		}
		batches <- batch
		batch = nil
	}
}

// ship sends batches, each until it arrives.
func ship(ctx context.Context, url string, batches <-chan []string) {
	for batch := range batches {
		for pause := 10 * time.Millisecond; ctx.Err() == nil && send(url, batch) != nil; pause *= 2 {
			time.Sleep(pause)
		}
	}
}

func send(url string, batch []string) error {
	r, w := io.Pipe()
	go func() {
		for _, line := range batch {
			fmt.Fprintln(w, line)
		}
		w.Close()
	}()
	resp, err := http.Post(url, "text/plain", r)
	if err != nil {
		return fmt.Errorf("sending a batch: %w", err)
	}
	defer resp.Body.Close()
	io.Copy(io.Discard, resp.Body)
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("sending a batch: %s", resp.Status)
	}
	return nil
}

// destination takes its time, and one batch in four not at all.
func destination() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("listening: %w", err)
	}
	var received int64
	go http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		time.Sleep(40 * time.Millisecond)
		if atomic.AddInt64(&received, 1)%4 == 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	return "http://" + l.Addr().String(), nil
}
