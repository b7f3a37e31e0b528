// Package statuswatch watches 300 services by the health protocol of gRPC, with a stream each on one connection.
//
// It looks like streams that nobody ends (grpc-stream-leak, goroutine-pile-up): 300 goroutines wait in RecvMsg, and who
// started them has returned. There is one for each service that is watched; their number is fixed.
package statuswatch

import (
	"context"
	"fmt"
	"net"
	"sync"
	"time"

	"example.com/services/kit"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
)

type board struct {
	mu    sync.Mutex
	state map[string]grpc_health_v1.HealthCheckResponse_ServingStatus
}

func (b *board) follow(name string, stream grpc_health_v1.Health_WatchClient) {
	for {
		answer, err := stream.Recv()
		if err != nil {
			return
		}
		b.mu.Lock()
		b.state[name] = answer.Status
		b.mu.Unlock()
	}
}

func (b *board) watch(client grpc_health_v1.HealthClient, names []string) error {
	for _, name := range names {
		stream, err := client.Watch(context.Background(), &grpc_health_v1.HealthCheckRequest{Service: name})
		if err != nil {
			return err
		}
		go b.follow(name, stream)
	}
	return nil
}

// Main starts a server and who watches it.
func Main() {
	kit.Start()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	server, states := grpc.NewServer(), health.NewServer()
	grpc_health_v1.RegisterHealthServer(server, states)
	go server.Serve(l)
	conn, err := grpc.NewClient(l.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		panic(err)
	}
	var names []string
	for i := range 300 {
		names = append(names, fmt.Sprintf("service-%d", i))
		states.SetServingStatus(names[i], grpc_health_v1.HealthCheckResponse_SERVING)
	}
	b := &board{state: map[string]grpc_health_v1.HealthCheckResponse_ServingStatus{}}
	if err := b.watch(grpc_health_v1.NewHealthClient(conn), names); err != nil {
		panic(err)
	}
	go func() {
		for i := 0; ; i++ {
			time.Sleep(50 * time.Second)
			states.SetServingStatus(names[i%3], grpc_health_v1.HealthCheckResponse_ServingStatus(1+i%2))
		}
	}()
	kit.Wait()
}
