// Package configd serves settings by blocking queries: a unary gRPC call answers when a key has changed.
//
// It looks like calls without a deadline to a server that hangs (grpc-call-without-deadline): forty calls wait, for
// twenty minutes and more. They are answered as soon as somebody changes a setting, and asked again then.
package configd

import (
	"context"
	"net"
	"sync"
	"time"

	"example.com/services/kit"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

type settings struct {
	mu      sync.Mutex
	changed chan struct{}
	version int64
}

// next waits until there is a version after the given one.
func (s *settings) next(ctx context.Context, after int64) (int64, error) {
	for {
		s.mu.Lock()
		changed, version := s.changed, s.version
		s.mu.Unlock()
		if version > after {
			return version, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}

func (s *settings) set() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version++
	close(s.changed)
	s.changed = make(chan struct{})
}

func blockingQuery(srv any, ctx context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
	var after wrapperspb.Int64Value
	if err := decode(&after); err != nil {
		return nil, err
	}
	version, err := srv.(*settings).next(ctx, after.Value)
	return wrapperspb.Int64(version), err
}

var service = grpc.ServiceDesc{
	ServiceName: "configd.Settings",
	HandlerType: (*any)(nil),
	Methods:     []grpc.MethodDesc{{MethodName: "Next", Handler: blockingQuery}},
}

// A follower asks for the next version as long as it lives.
type follower struct {
	conn    *grpc.ClientConn
	version int64
}

func (f *follower) run() {
	for {
		var version wrapperspb.Int64Value
		err := f.conn.Invoke(context.Background(), "/configd.Settings/Next", wrapperspb.Int64(f.version), &version)
		if err != nil {
			time.Sleep(5 * time.Second)
			continue
		}
		f.version = version.Value
	}
}

// Main starts the server and forty followers.
func Main() {
	kit.Start()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	s := &settings{changed: make(chan struct{})}
	server := grpc.NewServer()
	server.RegisterService(&service, s)
	go server.Serve(l)
	for range 40 {
		conn, err := grpc.NewClient(l.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
		if err != nil {
			panic(err)
		}
		go (&follower{conn: conn}).run()
	}
	go func() {
		for range time.Tick(23 * time.Minute) {
			s.set()
		}
	}()
	kit.Wait()
}
