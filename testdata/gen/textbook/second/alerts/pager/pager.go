// Package pager tells people.
package pager

import (
	"context"
	"fmt"
	"net"
	"time"

	"example.com/textbook/second/alerts/board"
)

// A Pager reads from In.
type Pager struct {
	In      <-chan board.Alarm
	Gateway string
}

// Run tells people until ctx ends or the gateway is gone.
func (p *Pager) Run(ctx context.Context) error {
	failed := 0
	for {
		select {
		case a := <-p.In:
			if err := p.tell(a); err != nil {
				if failed++; failed == 3 {
					return fmt.Errorf("alarm of %s: %w", a.Unit, err)
				}
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (p *Pager) tell(a board.Alarm) error {
	conn, err := net.DialTimeout("tcp", p.Gateway, time.Second)
	if err != nil {
		return err
	}
	defer conn.Close()
	_, err = fmt.Fprintf(conn, "%s %d\n", a.Unit, a.Level)
	return err
}
