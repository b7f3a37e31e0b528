// Command drain is on its way down: it was told to end, takes no more work, and waits for what it has begun. Workers finish
// what is queued, requests get their answers, a server shuts down.
package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"example.com/well/dumper"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "drain:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listening: %w", err)
	}
	server := &http.Server{Handler: http.HandlerFunc(export)}
	go server.Serve(l)
	for i := 0; i < 10; i++ {
		go download("http://"+l.Addr().String(), i)
	}
	queue := newQueue(3000)
	var workers sync.WaitGroup
	for i := 0; i < 8; i++ {
		workers.Add(1)
		go work(queue, &workers)
	}
	flushed := make(chan struct{})
	go flush(ctx, &workers, flushed)
	time.Sleep(300 * time.Millisecond)
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		return fmt.Errorf("ending: %w", err)
	}
	<-ctx.Done()
	dumper.Ready()
	return shutDown(server, &workers, flushed)
}

// shutDown waits for everything, all side by side.
func shutDown(server *http.Server, workers *sync.WaitGroup, flushed <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	failed := make(chan error, 1)
	go func() { failed <- server.Shutdown(ctx) }()
	workers.Wait()
	<-flushed
	return <-failed
}

// newQueue is what was queued when the end was announced: closed, but not empty.
func newQueue(n int) <-chan []byte {
	queue := make(chan []byte, n)
	for i := 0; i < n; i++ {
		queue <- make([]byte, 1<<12)
	}
	close(queue)
	return queue
}

func work(queue <-chan []byte, workers *sync.WaitGroup) {
	defer workers.Done()
	for job := range queue {
		sha256.Sum256(job)
		time.Sleep(60 * time.Millisecond)
	}
}

// flush writes what the workers left when the last of them is done.
func flush(ctx context.Context, workers *sync.WaitGroup, flushed chan<- struct{}) {
	defer close(flushed)
	<-ctx.Done()
	workers.Wait()
	time.Sleep(100 * time.Millisecond)
}

// export sends a large answer slowly.
func export(w http.ResponseWriter, r *http.Request) {
	for i := 0; i < 200; i++ {
		fmt.Fprintf(w, "row %d\n", i)
		w.(http.Flusher).Flush()
		time.Sleep(100 * time.Millisecond)
	}
}

func download(url string, client int) {
	resp, err := http.Get(url)
	if err != nil {
		return
	}
	defer resp.Body.Close()
	io.Copy(io.Discard, resp.Body)
}
