// Package schema brings a database to the newest version.
package schema

import (
	"context"
	"fmt"
	"net"
	"sync/atomic"
	"time"
)

// A Migrator applies one version after the other.
type Migrator struct {
	Address string
	Timeout time.Duration
	version atomic.Int64
}

// Version is the newest that was applied.
func (m *Migrator) Version() int64 { return m.version.Load() }

// Run applies what is missing.
func (m *Migrator) Run(ctx context.Context) {
	for ctx.Err() == nil {
		time.Sleep(600 * time.Millisecond)
		if err := m.apply(ctx); err != nil {
			panic(err)
		}
		m.version.Add(1)
	}
}

func (m *Migrator) apply(ctx context.Context) error {
	conn, err := m.connect(ctx)
	if err != nil {
		return fmt.Errorf("migration %d: %w", m.Version()+1, err)
	}
	return conn.Close()
}

func (m *Migrator) connect(ctx context.Context) (net.Conn, error) {
	dialer := net.Dialer{Timeout: m.Timeout}
	conn, err := dialer.DialContext(ctx, "tcp", m.Address)
	if err != nil {
		return nil, fmt.Errorf("connecting to the database: %w", err)
	}
	return conn, nil
}
