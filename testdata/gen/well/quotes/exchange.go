package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// service is what a code generator would have made of a .proto file.
var service = grpc.ServiceDesc{
	ServiceName: "quotes.Exchange",
	HandlerType: (*any)(nil),
	Methods:     []grpc.MethodDesc{{MethodName: "Price", Handler: handlePrice}},
	Streams: []grpc.StreamDesc{
		{StreamName: "Watch", Handler: handleWatch, ServerStreams: true},
		{StreamName: "Talk", Handler: handleTalk, ServerStreams: true, ClientStreams: true},
	},
}

func handlePrice(srv any, ctx context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
	symbol := new(wrapperspb.StringValue)
	if err := decode(symbol); err != nil {
		return nil, err
	}
	return srv.(*exchange).price(ctx, symbol.Value)
}

func handleWatch(srv any, stream grpc.ServerStream) error {
	symbol := new(wrapperspb.StringValue)
	if err := stream.RecvMsg(symbol); err != nil {
		return err
	}
	return srv.(*exchange).watch(symbol.Value, stream)
}

func handleTalk(srv any, stream grpc.ServerStream) error { return srv.(*exchange).talk(stream) }

// An exchange tells prices of symbols to those who watch them.
type exchange struct {
	mu       sync.RWMutex
	prices   map[string]int64
	watchers map[string]map[chan int64]bool
}

func newExchange(ctx context.Context) *exchange {
	e := &exchange{prices: map[string]int64{}, watchers: map[string]map[chan int64]bool{}}
	go e.move(ctx)
	return e
}

// move changes prices, but not those of silent symbols.
func (e *exchange) move(ctx context.Context) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for n := int64(0); ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		e.mu.Lock()
		e.prices["ACME"] = n
		for prices := range e.watchers["ACME"] {
			select {
			case prices <- n:
			default:
			}
		}
		e.mu.Unlock()
	}
}

func (e *exchange) price(ctx context.Context, symbol string) (*wrapperspb.Int64Value, error) {
	select {
	case <-time.After(2 * time.Millisecond):
	case <-ctx.Done():
		return nil, fmt.Errorf("pricing %s: %w", symbol, ctx.Err())
	}
	e.mu.RLock()
	defer e.mu.RUnlock()
	return wrapperspb.Int64(e.prices[symbol]), nil
}

func (e *exchange) watch(symbol string, stream grpc.ServerStream) error {
	prices := make(chan int64, 1)
	e.mu.Lock()
	if e.watchers[symbol] == nil {
		e.watchers[symbol] = map[chan int64]bool{}
	}
	e.watchers[symbol][prices] = true
	e.mu.Unlock()
	defer func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		delete(e.watchers[symbol], prices)
	}()
	for {
		select {
		case <-stream.Context().Done():
			return nil
		case p := <-prices:
			if err := stream.SendMsg(wrapperspb.Int64(p)); err != nil {
				return err
			}
		}
	}
}

// talk answers each question in its stream.
func (e *exchange) talk(stream grpc.ServerStream) error {
	for {
		symbol := new(wrapperspb.StringValue)
		if err := stream.RecvMsg(symbol); err != nil {
			return nil
		}
		p, err := e.price(stream.Context(), symbol.Value)
		if err != nil {
			return err
		}
		if err := stream.SendMsg(p); err != nil {
			return err
		}
	}
}
