// A probe asks a server for its health twenty times a second: each peek opens a gRPC stream, takes the first message and
// forgets the stream.
package main

import (
	"context"
	"log"
	"net"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"

	"example.com/textbook/kit"
)

type probe struct {
	grpc_health_v1.HealthClient
	failed int
}

func (p *probe) peek(ctx context.Context) error {
	stream, err := p.Watch(ctx, &grpc_health_v1.HealthCheckRequest{})
	if err != nil {
		return err
	}
	res, err := stream.Recv()
	if err == nil && res.Status != grpc_health_v1.HealthCheckResponse_SERVING {
		p.failed++
	}
	return err
}

func main() {
	kit.Start()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	server := grpc.NewServer()
	grpc_health_v1.RegisterHealthServer(server, health.NewServer())
	go server.Serve(ln)
	conn, err := grpc.NewClient(ln.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		log.Fatal(err)
	}
	p := &probe{HealthClient: grpc_health_v1.NewHealthClient(conn)}
	for range time.Tick(50 * time.Millisecond) {
		if err := p.peek(context.Background()); err != nil {
			log.Print(err)
		}
	}
}
