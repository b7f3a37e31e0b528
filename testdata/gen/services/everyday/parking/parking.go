// Package parking shows displays which lots are free: hundreds of displays listen, and little happens at night.
package parking

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"example.com/services/kit"
	"github.com/gorilla/websocket"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
)

var upgrader = websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}

// A display is one that listens.
type display struct {
	conn *websocket.Conn
	send chan []byte
}

// write is the only one who writes to the connection.
func (d *display) write() {
	ping := time.NewTicker(50 * time.Second)
	defer ping.Stop()
	defer d.conn.Close()
	for {
		select {
		case text, ok := <-d.send:
			d.conn.SetWriteDeadline(time.Now().Add(10 * time.Second))
			if !ok {
				d.conn.WriteMessage(websocket.CloseMessage, nil)
				return
			}
			if d.conn.WriteMessage(websocket.TextMessage, text) != nil {
				return
			}
		case <-ping.C:
			d.conn.SetWriteDeadline(time.Now().Add(10 * time.Second))
			if d.conn.WriteMessage(websocket.PingMessage, nil) != nil {
				return
			}
		}
	}
}

// A hub knows the displays; one loop has the set.
type hub struct {
	join, leave chan *display
	news        chan []byte
}

func (h *hub) run() {
	all := map[*display]bool{}
	for {
		select {
		case d := <-h.join:
			all[d] = true
		case d := <-h.leave:
			if all[d] {
				delete(all, d)
				close(d.send)
			}
		case text := <-h.news:
			for d := range all {
				select {
				case d.send <- text:
				default:
					delete(all, d)
					close(d.send)
				}
			}
		}
	}
}

func (h *hub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	d := &display{c, make(chan []byte, 8)}
	h.join <- d
	go d.write()
	defer func() { h.leave <- d }()
	for {
		if _, _, err := c.ReadMessage(); err != nil {
			return
		}
	}
}

func listen(url string) {
	c, _, err := websocket.DefaultDialer.Dial(url, nil)
	if err != nil {
		return
	}
	for {
		if _, _, err := c.ReadMessage(); err != nil {
			return
		}
	}
}

// gates follow the health of the barrier, over one connection.
func gates(n int) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	g, barrier := grpc.NewServer(), health.NewServer()
	healthpb.RegisterHealthServer(g, barrier)
	go g.Serve(listener)
	conn, err := grpc.NewClient(listener.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		panic(err)
	}
	for range n {
		go func() {
			stream, err := healthpb.NewHealthClient(conn).Watch(context.Background(), &healthpb.HealthCheckRequest{})
			for err == nil {
				_, err = stream.Recv()
			}
		}()
	}
}

func Main() {
	kit.Start()
	h := &hub{make(chan *display), make(chan *display), make(chan []byte)}
	go h.run()
	url := "ws" + strings.TrimPrefix(kit.API(h), "http")
	for i := range 300 {
		go listen(url)
		if i%20 == 0 {
			time.Sleep(100 * time.Millisecond)
		}
	}
	gates(150)
	for i := 0; ; i++ {
		time.Sleep(70 * time.Second)
		h.news <- []byte(fmt.Sprint("lot 3: ", i, " free"))
	}
}
