// Package ferry copies records to another site, which answers each with a receipt.
package ferry

import (
	"context"
	"io"
	"net"
	"strings"
	"time"

	"example.com/services/kit"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// A depot takes records.
type depot struct{}

// Exchange answers each record with a receipt that repeats it.
func (d *depot) Exchange(stream grpc.ServerStream) error {
	for {
		record := new(wrapperspb.StringValue)
		if err := stream.RecvMsg(record); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := stream.SendMsg(record); err != nil {
			return err
		}
	}
}

var desc = grpc.ServiceDesc{
	ServiceName: "ferry.Depot",
	HandlerType: (*any)(nil),
	Streams: []grpc.StreamDesc{{
		StreamName: "Exchange", ServerStreams: true, ClientStreams: true,
		Handler: func(srv any, stream grpc.ServerStream) error { return srv.(*depot).Exchange(stream) },
	}},
}

// A site copies its records.
type site struct {
	conn *grpc.ClientConn
}

// Copy sends all records, and then reads all receipts.
func (s *site) Copy(ctx context.Context, records []string) (receipts int, err error) {
	stream, err := s.conn.NewStream(ctx, &desc.Streams[0], "/ferry.Depot/Exchange")
	if err != nil {
		return 0, err
	}
	for _, r := range records {
		if err := stream.SendMsg(wrapperspb.String(r)); err != nil {
			return 0, err
		}
	}
	if err := stream.CloseSend(); err != nil {
		return 0, err
	}
	for stream.RecvMsg(new(wrapperspb.StringValue)) == nil {
		receipts++
	}
	return receipts, nil
}

func (s *site) nightly(batch int) {
	records := make([]string, batch)
	for i := range records {
		records[i] = strings.Repeat("r", 900)
	}
	s.Copy(context.Background(), records)
}

func Main() {
	kit.Start()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	g := grpc.NewServer()
	g.RegisterService(&desc, &depot{})
	go g.Serve(listener)
	conn, err := grpc.NewClient(listener.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		panic(err)
	}
	s := &site{conn}
	for batch := 10; batch < 100; batch += 30 {
		s.nightly(batch)
	}
	for range 3 {
		go s.nightly(5000)
		time.Sleep(time.Second)
	}
	kit.Wait()
}
