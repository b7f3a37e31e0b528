// Command quotes is a gRPC server with its clients in the same process: calls one after the other, and 100 streams, of which
// half are silent for as long as the process lives.
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"

	"example.com/well/dumper"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "quotes:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listening: %w", err)
	}
	server := grpc.NewServer(grpc.MaxConcurrentStreams(200), grpc.KeepaliveParams(keepalive.ServerParameters{Time: 30 * time.Second}))
	server.RegisterService(&service, newExchange(ctx))
	grpc_health_v1.RegisterHealthServer(server, health.NewServer())
	go server.Serve(l)
	defer server.GracefulStop()
	for range 2 {
		conn, err := grpc.NewClient("passthrough:///"+l.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
		if err != nil {
			return fmt.Errorf("connecting: %w", err)
		}
		defer conn.Close()
		trade(ctx, conn)
	}
	dumper.Ready()
	<-ctx.Done()
	return nil
}
