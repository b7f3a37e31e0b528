// Package memdb is a database/sql driver over accounts in memory. Each statement takes some milliseconds, as one that
// crosses a network does.
package memdb

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"math/rand"
	"sync"
	"time"
)

// A Store holds the accounts; it is the connector too.
type Store struct {
	mu       sync.Mutex
	accounts map[int64]int64
}

// New returns an empty Store.
func New() *Store { return &Store{accounts: map[int64]int64{}} }

// Connect implements driver.Connector.
func (s *Store) Connect(ctx context.Context) (driver.Conn, error) {
	if err := take(ctx, 10*time.Millisecond); err != nil {
		return nil, err
	}
	return &conn{store: s}, nil
}

// Driver implements driver.Connector.
func (s *Store) Driver() driver.Driver { return unnamed{} }

type unnamed struct{}

func (unnamed) Open(string) (driver.Conn, error) { return nil, errors.New("memdb: use sql.OpenDB") }

// A conn is one connection: database/sql lets one goroutine at a time use it.
type conn struct{ store *Store }

func (c *conn) Prepare(string) (driver.Stmt, error) {
	return nil, errors.New("memdb: no prepared statements")
}

func (c *conn) Close() error { return nil }

func (c *conn) Begin() (driver.Tx, error) { return tx{}, nil }

type tx struct{}

func (tx) Commit() error   { return take(context.Background(), 3*time.Millisecond) }
func (tx) Rollback() error { return nil }

// ExecContext adds one to an account.
func (c *conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if err := take(ctx, 6*time.Millisecond); err != nil {
		return nil, err
	}
	account, ok := args[0].Value.(int64)
	if !ok {
		return nil, errors.New("memdb: an account is a number")
	}
	c.store.mu.Lock()
	defer c.store.mu.Unlock()
	c.store.accounts[account]++
	return driver.RowsAffected(1), nil
}

// QueryContext lists what the accounts hold.
func (c *conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if err := take(ctx, 4*time.Millisecond); err != nil {
		return nil, err
	}
	c.store.mu.Lock()
	defer c.store.mu.Unlock()
	r := &rows{}
	for _, amount := range c.store.accounts {
		r.amounts = append(r.amounts, amount)
	}
	return r, nil
}

type rows struct{ amounts []int64 }

func (r *rows) Columns() []string { return []string{"amount"} }
func (r *rows) Close() error      { return nil }

func (r *rows) Next(to []driver.Value) error {
	if len(r.amounts) == 0 {
		return io.EOF
	}
	time.Sleep(500 * time.Microsecond)
	to[0], r.amounts = r.amounts[0], r.amounts[1:]
	return nil
}

// take lasts about as long as it is told, or until ctx ends.
func take(ctx context.Context, about time.Duration) error {
	timer := time.NewTimer(about/2 + time.Duration(rand.Int63n(int64(about))))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
