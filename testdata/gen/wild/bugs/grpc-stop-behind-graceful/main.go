// Command grpc-stop-behind-graceful answers health checks, and starts its server anew from time to time.
//
// https://github.com/grpc/grpc-go/issues/9393
package main

import (
	"context"
	"log"
	"net"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health/grpc_health_v1"

	"wild/kit"
)

func main() {
	kit.Serve()
	for n := 1; ; n++ {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			log.Fatal(err)
		}
		server := grpc.NewServer()
		grpc_health_v1.RegisterHealthServer(server, &health{store: store{answers: make(chan error)}})
		go server.Serve(listener)
		ask(listener.Addr().String())
		shutdown(server)
		log.Print("started ", n, " times")
	}
}

// shutdown lets requests end for two seconds, and then ends them.
func shutdown(server *grpc.Server) {
	ended := make(chan bool)
	go func() {
		server.GracefulStop()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(2 * time.Second):
		server.Stop()
	}
}

// ask asks for the health and does not wait long for an answer.
func ask(address string) {
	client, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	_, err = grpc_health_v1.NewHealthClient(client).Check(ctx, &grpc_health_v1.HealthCheckRequest{})
	log.Print("health: ", err)
}

// A health asks the store, which does not answer.
type health struct {
	grpc_health_v1.UnimplementedHealthServer
	store store
}

func (h *health) Check(
	ctx context.Context, _ *grpc_health_v1.HealthCheckRequest,
) (*grpc_health_v1.HealthCheckResponse, error) {
	if err := h.store.ping(ctx); err != nil {
		return nil, err
	}
	return &grpc_health_v1.HealthCheckResponse{Status: grpc_health_v1.HealthCheckResponse_SERVING}, nil
}

// A store is behind a connection on which nothing comes.
type store struct{ answers chan error }
