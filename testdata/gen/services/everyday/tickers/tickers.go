// Package tickers streams the prices of shares to terminals.
package tickers

import (
	"context"
	"fmt"
	"net"
	"sync"
	"time"

	"example.com/services/kit"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// A board has the watchers of each share.
type board struct {
	mu       sync.Mutex
	watchers map[string]map[chan string]bool
}

func (b *board) subscribe(share string) chan string {
	ch := make(chan string, 16)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.watchers[share] == nil {
		b.watchers[share] = map[chan string]bool{}
	}
	b.watchers[share][ch] = true
	return ch
}

func (b *board) unsubscribe(share string, ch chan string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.watchers[share], ch)
}

func (b *board) publish(share, price string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for ch := range b.watchers[share] {
		select {
		case ch <- price:
		default:
		}
	}
}

// A server answers terminals.
type server struct {
	board *board
}

// Watch sends a terminal each price of its share.
func (s *server) Watch(share string, stream grpc.ServerStream) error {
	prices := s.board.subscribe(share)
	defer s.board.unsubscribe(share, prices)
	for price := range prices {
		if err := stream.SendMsg(wrapperspb.String(price)); err != nil {
			return err
		}
	}
	return nil
}

var desc = grpc.ServiceDesc{
	ServiceName: "tickers.Board",
	HandlerType: (*any)(nil),
	Streams: []grpc.StreamDesc{{
		StreamName: "Watch", ServerStreams: true,
		Handler: func(srv any, stream grpc.ServerStream) error {
			share := new(wrapperspb.StringValue)
			if err := stream.RecvMsg(share); err != nil {
				return err
			}
			return srv.(*server).Watch(share.Value, stream)
		},
	}},
}

// terminal watches a share for a few seconds.
func terminal(conn *grpc.ClientConn, share string, seconds int) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(seconds)*time.Second)
	defer cancel()
	stream, err := conn.NewStream(ctx, &desc.Streams[0], "/tickers.Board/Watch")
	if err != nil {
		return
	}
	if stream.SendMsg(wrapperspb.String(share)) != nil || stream.CloseSend() != nil {
		return
	}
	for stream.RecvMsg(new(wrapperspb.StringValue)) == nil {
	}
}

func Main() {
	kit.Start()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	b := &board{watchers: map[string]map[chan string]bool{}}
	g := grpc.NewServer()
	g.RegisterService(&desc, &server{b})
	go g.Serve(listener)
	go func() {
		for i := 0; ; i++ {
			b.publish("ACME", fmt.Sprint(100+i%17))
			time.Sleep(300 * time.Millisecond)
		}
	}()
	conn, err := grpc.NewClient(listener.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		panic(err)
	}
	for i := range 120 {
		go terminal(conn, []string{"ACME", "HALTED"}[i%2], 3+i%5)
		time.Sleep(time.Second)
	}
	kit.Wait()
}
