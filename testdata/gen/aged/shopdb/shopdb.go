// Package shopdb is a driver for database/sql whose database is in the process: each statement takes a moment.
package shopdb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"io"
	"strings"
	"time"
)

// Open opens a database with at most n connections. A statement with "slow" in it takes longer, the rows of one with
// "history" come one by one for half an hour and more.
func Open(n int) *sql.DB {
	db := sql.OpenDB(connector{})
	db.SetMaxOpenConns(n)
	return db
}

type connector struct{}

func (connector) Connect(context.Context) (driver.Conn, error) { return conn{}, nil }
func (connector) Driver() driver.Driver                        { return nil }

type conn struct{}

func (conn) Prepare(q string) (driver.Stmt, error) { return stmt(q), nil }
func (conn) Close() error                          { return nil }
func (conn) Begin() (driver.Tx, error)             { return tx{}, nil }

type tx struct{}

func (tx) Commit() error   { time.Sleep(3 * time.Millisecond); return nil }
func (tx) Rollback() error { return nil }

type stmt string

func (stmt) Close() error  { return nil }
func (stmt) NumInput() int { return -1 }
func (stmt) Exec([]driver.Value) (driver.Result, error) {
	time.Sleep(5 * time.Millisecond)
	return driver.RowsAffected(1), nil
}

func (s stmt) Query([]driver.Value) (driver.Rows, error) {
	r := &rows{left: 20}
	if strings.Contains(string(s), "slow") {
		time.Sleep(400 * time.Millisecond)
	}
	if strings.Contains(string(s), "history") {
		r.left, r.pause = 1<<20, 20*time.Millisecond
	}
	return r, nil
}

type rows struct {
	left  int
	pause time.Duration
}

func (*rows) Columns() []string { return []string{"id", "name"} }
func (*rows) Close() error      { return nil }
func (r *rows) Next(dest []driver.Value) error {
	if r.left == 0 {
		return io.EOF
	}
	time.Sleep(r.pause)
	dest[0], dest[1] = int64(r.left), "A-1"
	r.left--
	return nil
}
