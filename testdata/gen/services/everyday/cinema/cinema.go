// Package cinema shows which seats are free: screens listen by websocket, cash desks by gRPC, and little changes.
package cinema

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"example.com/services/kit"
	"github.com/gorilla/websocket"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

var upgrader = websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}

// A hall has who listens.
type hall struct {
	mu   sync.Mutex
	next int
	subs map[int]chan string
}

func (h *hall) listen() (int, chan string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.next++
	ch := make(chan string, 4)
	h.subs[h.next] = ch
	return h.next, ch
}

func (h *hall) leave(id int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.subs, id)
}

func (h *hall) sell(seat string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, ch := range h.subs {
		select {
		case ch <- seat:
		default:
		}
	}
}

// ServeHTTP is a screen: a goroutine reads so that pings are answered and the end is seen.
func (h *hall) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer c.Close()
	id, seats := h.listen()
	defer h.leave(id)
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		for {
			if _, _, err := c.NextReader(); err != nil {
				return
			}
		}
	}()
	for {
		select {
		case seat := <-seats:
			c.SetWriteDeadline(time.Now().Add(5 * time.Second))
			if c.WriteMessage(websocket.TextMessage, []byte(seat)) != nil {
				return
			}
		case <-gone:
			return
		}
	}
}

// Watch is a cash desk: it ends with its stream.
func (h *hall) Watch(stream grpc.ServerStream) error {
	id, seats := h.listen()
	defer h.leave(id)
	for {
		select {
		case seat := <-seats:
			if err := stream.SendMsg(wrapperspb.String(seat)); err != nil {
				return err
			}
		case <-stream.Context().Done():
			return stream.Context().Err()
		}
	}
}

var desc = grpc.ServiceDesc{
	ServiceName: "cinema.Hall",
	HandlerType: (*any)(nil),
	Streams: []grpc.StreamDesc{{
		StreamName: "Watch", ServerStreams: true,
		Handler: func(srv any, stream grpc.ServerStream) error {
			if err := stream.RecvMsg(new(wrapperspb.StringValue)); err != nil {
				return err
			}
			return srv.(*hall).Watch(stream)
		},
	}},
}

func screen(url string) {
	c, _, err := websocket.DefaultDialer.Dial(url, nil)
	for err == nil {
		_, _, err = c.ReadMessage()
	}
}

func desk(conn *grpc.ClientConn) {
	stream, err := conn.NewStream(context.Background(), &desc.Streams[0], "/cinema.Hall/Watch")
	if err != nil {
		return
	}
	stream.SendMsg(wrapperspb.String("hall 1"))
	stream.CloseSend()
	for stream.RecvMsg(new(wrapperspb.StringValue)) == nil {
	}
}

func Main() {
	kit.Start()
	h := &hall{subs: map[int]chan string{}}
	url := "ws" + strings.TrimPrefix(kit.API(h), "http")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	g := grpc.NewServer()
	g.RegisterService(&desc, h)
	go g.Serve(listener)
	conn, err := grpc.NewClient(listener.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		panic(err)
	}
	for i := range 220 {
		go screen(url)
		go desk(conn)
		if i%20 == 0 {
			time.Sleep(150 * time.Millisecond)
		}
	}
	for i := 0; ; i++ {
		time.Sleep(65 * time.Second)
		h.sell(fmt.Sprint("seat ", i, " is taken"))
	}
}
