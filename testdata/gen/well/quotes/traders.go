package main

import (
	"context"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// trade starts the traders of one connection: ten that ask, twenty-five that watch, twenty-five that talk. Of watchers and
// talkers every second is silent.
func trade(ctx context.Context, conn *grpc.ClientConn) {
	for range 10 {
		go ask(ctx, conn)
	}
	for i := range 25 {
		go watch(ctx, conn, []string{"ACME", "NOBODY"}[i%2])
		go talk(ctx, conn, []time.Duration{100 * time.Millisecond, time.Hour}[i%2])
	}
}

func ask(ctx context.Context, conn *grpc.ClientConn) {
	for ctx.Err() == nil {
		call, cancel := context.WithTimeout(ctx, 5*time.Second)
		err := conn.Invoke(call, "/quotes.Exchange/Price", wrapperspb.String("ACME"), new(wrapperspb.Int64Value))
		cancel()
		if err != nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func watch(ctx context.Context, conn *grpc.ClientConn, symbol string) {
	stream, err := conn.NewStream(ctx, &service.Streams[0], "/quotes.Exchange/Watch")
	if err != nil {
		return
	}
	if stream.SendMsg(wrapperspb.String(symbol)) != nil || stream.CloseSend() != nil {
		return
	}
	for stream.RecvMsg(new(wrapperspb.Int64Value)) == nil {
	}
}

// talk asks in a stream, and reads the answers in a goroutine of their own.
func talk(ctx context.Context, conn *grpc.ClientConn, pause time.Duration) {
	stream, err := conn.NewStream(ctx, &service.Streams[1], "/quotes.Exchange/Talk")
	if err != nil {
		return
	}
	go func() {
		for stream.RecvMsg(new(wrapperspb.Int64Value)) == nil {
		}
	}()
	for stream.SendMsg(wrapperspb.String("ACME")) == nil {
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}
