// Command bootstrap is a service that has just begun: it waits for what it depends on, with pauses that grow, holds back
// the parts that must start later, and makes each tenant's store once, while that tenant's first requests wait.
package main

import (
	"context"
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
	addr, err := slowServer()
	if err != nil {
		return
	}
	s := &service{ready: make(chan struct{}), closed: closedPort()}
	var deps sync.WaitGroup
	for _, name := range []string{"database", "broker", "identity"} {
		deps.Add(1)
		go func(name string) {
			defer deps.Done()
			s.await(ctx, name)
		}(name)
	}
	go func() {
		deps.Wait()
		close(s.ready)
	}()
	for _, part := range []string{"importer", "mailer", "indexer", "billing", "search", "audit"} {
		go s.start(part)
	}
	go openTenants(addr)
	dumper.Ready()
	select {
	case <-s.ready:
	case <-ctx.Done():
	}
}

type service struct {
	ready  chan struct{} // closed when all dependencies answer
	closed string
}

// await dials until somebody answers: half a second in between, then one, two, and so on.
func (s *service) await(ctx context.Context, name string) {
	for pause := 500 * time.Millisecond; ctx.Err() == nil; pause = longer(pause) {
		conn, err := net.DialTimeout("tcp", s.closed, time.Second)
		if err == nil {
			conn.Close()
			return
		}
		if name == "broker" { // two ways of the same
			time.Sleep(pause)
			continue
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
}

func longer(pause time.Duration) time.Duration {
	if pause *= 2; pause > 90*time.Second {
		return 90 * time.Second
	}
	return pause
}

// start holds a part of the service back until the dependencies are there.
func (s *service) start(part string) {
	<-s.ready
	os.Stdout.WriteString(part + " started\n")
}

// closedPort is an address of 127.0.0.1 that nobody listens on.
func closedPort() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "127.0.0.1:1"
	}
	defer l.Close()
	return l.Addr().String()
}

// slowServer answers after 200 ms.
func slowServer() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	go http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { time.Sleep(200 * time.Millisecond) }))
	return l.Addr().String(), nil
}
