// Command websocket-closeread-wait is a server that sends its subscribers the time, and a few of the programs that
// subscribe. Some of those greet the server.
//
// Report: https://github.com/coder/websocket/issues/429
package main

import (
	"context"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"nhooyr.io/websocket"
	"wild/kit"
)

const subscribers = 30

// A hub knows the subscribers' connections.
type hub struct {
	mu    sync.Mutex
	conns map[*websocket.Conn]bool
}

var clock = &hub{conns: make(map[*websocket.Conn]bool)}

func (h *hub) join(c *websocket.Conn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.conns[c] = true
}

func (h *hub) leave(c *websocket.Conn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.conns, c)
}

// list returns the connections as they are now: nobody waits for a slow one with the mutex held.
func (h *hub) list() []*websocket.Conn {
	h.mu.Lock()
	defer h.mu.Unlock()
	var conns []*websocket.Conn
	for c := range h.conns {
		conns = append(conns, c)
	}
	return conns
}

// publish sends the subscribers the time. Those that cannot be reached are no subscribers any more.
func (h *hub) publish() {
	for now := range time.Tick(2 * time.Second) {
		for _, c := range h.list() {
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			if err := c.Write(ctx, websocket.MessageText, []byte(now.Format(time.TimeOnly))); err != nil {
				h.leave(c)
			}
			cancel()
		}
	}
}

// serve has one subscriber until its connection ends. Nothing is expected from it.
func serve(w http.ResponseWriter, r *http.Request) {
	c, err := websocket.Accept(w, r, nil)
	if err != nil {
		log.Print(err)
		return
	}
	defer c.CloseNow()
	ctx := c.CloseRead(r.Context())
	clock.join(c)
	defer clock.leave(c)
	<-ctx.Done()
}

// subscribe reads the time until the server ends the connection. It says hello first if it has a name.
func subscribe(ctx context.Context, url, name string) error {
	c, _, err := websocket.Dial(ctx, url, nil)
	if err != nil {
		return err
	}
	defer c.CloseNow()
	if name != "" {
		if err := c.Write(ctx, websocket.MessageText, []byte("hello from "+name)); err != nil {
			return err
		}
	}
	for {
		if _, _, err := c.Read(ctx); err != nil {
			return err
		}
	}
}

func main() {
	kit.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go http.Serve(listener, http.HandlerFunc(serve))
	go clock.publish()
	for i := range subscribers {
		name := ""
		if i%3 == 0 {
			name = "board"
		}
		go func() {
			if err := subscribe(ctx, "ws://"+listener.Addr().String(), name); err != nil {
				log.Printf("subscriber %d: %v", i, err)
			}
		}()
	}
	<-ctx.Done()
}
