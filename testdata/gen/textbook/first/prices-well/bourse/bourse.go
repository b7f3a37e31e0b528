// Package bourse is an exchange that sends prices.
package bourse

import (
	"net"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// An Exchange sends a price every second to each that watches.
type Exchange struct{}

// Serve serves an exchange and returns its address.
func Serve() (address string, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	server := grpc.NewServer()
	server.RegisterService(&grpc.ServiceDesc{
		ServiceName: "exchange.Prices",
		HandlerType: (*any)(nil),
		Streams: []grpc.StreamDesc{{
			StreamName:    "Watch",
			ServerStreams: true,
			Handler:       func(srv any, stream grpc.ServerStream) error { return srv.(*Exchange).Watch(stream) },
		}},
	}, &Exchange{})
	go server.Serve(listener)
	return listener.Addr().String(), nil
}

// Watch sends prices until the client has left.
func (e *Exchange) Watch(stream grpc.ServerStream) error {
	for price := int64(100); ; price++ {
		if err := stream.SendMsg(wrapperspb.Int64(price)); err != nil {
			return err
		}
		select {
		case <-stream.Context().Done():
			return stream.Context().Err()
		case <-time.After(time.Second):
		}
	}
}
