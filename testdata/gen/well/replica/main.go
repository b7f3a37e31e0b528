// Command replica is a process with three members of a consensus group, each ticking, with a goroutine for each peer; and
// with a standby that waits for a lease which somebody else holds for as long as the process lives.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"example.com/well/dumper"
	"example.com/well/replica/internal/consensus"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	nodes, err := consensus.Start(ctx, 3)
	if err != nil {
		fmt.Fprintln(os.Stderr, "replica:", err)
		os.Exit(1)
	}
	for i := 0; i < 4; i++ {
		go propose(ctx, nodes[0], i)
	}
	for _, n := range nodes {
		go follow(n)
	}
	s := newStandby()
	go s.campaign(ctx)
	for _, part := range []string{"scheduler", "garbage collector", "autoscaler", "reporter", "janitor", "exporter"} {
		go s.run(ctx, part)
	}
	dumper.Ready()
	<-ctx.Done()
}

// propose waits for each of its proposals to be applied.
func propose(ctx context.Context, n *consensus.Node, client int) {
	for i := 0; ctx.Err() == nil; i++ {
		if err := n.Propose(ctx, fmt.Sprintf("client %d writes %d", client, i)); err != nil {
			fmt.Fprintln(os.Stderr, "replica:", err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// follow applies what was agreed on.
func follow(n *consensus.Node) {
	applied := 0
	for entries := range n.Applied() {
		applied += len(entries)
	}
}

// A standby does nothing until it leads.
type standby struct {
	elected chan struct{}
	lost    chan struct{}
	holder  atomic.Value // whose lease it is
}

func newStandby() *standby {
	s := &standby{elected: make(chan struct{}), lost: make(chan struct{})}
	s.holder.Store("replica-0")
	return s
}

// campaign tries to get the lease every two seconds.
func (s *standby) campaign(ctx context.Context) {
	defer close(s.lost)
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(2 * time.Second):
			if s.holder.Load() == "replica-1" {
				close(s.elected)
				return
			}
		}
	}
}

// run is one of the parts that only a leader runs.
func (s *standby) run(ctx context.Context, part string) {
	<-s.elected
	fmt.Fprintln(os.Stderr, part, "started")
	select {
	case <-s.lost:
	case <-ctx.Done():
	}
}
