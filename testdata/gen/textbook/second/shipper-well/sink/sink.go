// Package sink talks to the collector.
package sink

import (
	"context"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	"example.com/textbook/second/shipper-well/ring"
)

// A Shipper sends lines.
type Shipper struct {
	Addr    string
	Lines   *ring.Ring[string]
	Refused atomic.Int64
}

// Run sends until ctx ends.
func (s *Shipper) Run(ctx context.Context) {
	for pause := 100 * time.Millisecond; ctx.Err() == nil; pause = min(2*pause, 10*time.Second) {
		conn, err := s.dial(ctx)
		if err != nil {
			s.Refused.Add(1)
			time.Sleep(pause)
			continue
		}
		pause = 100 * time.Millisecond
		s.send(ctx, conn)
	}
}

func (s *Shipper) dial(ctx context.Context) (net.Conn, error) {
	d := net.Dialer{Timeout: time.Second}
	return d.DialContext(ctx, "tcp", s.Addr)
}

// send sends what there is, each second, until the connection breaks.
func (s *Shipper) send(ctx context.Context, conn net.Conn) {
	defer conn.Close()
	for ctx.Err() == nil {
		for _, l := range s.Lines.Take() {
			if _, err := fmt.Fprintln(conn, l); err != nil {
				return
			}
		}
		time.Sleep(time.Second)
	}
}
