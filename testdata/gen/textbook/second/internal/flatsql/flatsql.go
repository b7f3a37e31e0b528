// Package flatsql is a database/sql driver for one table of one column that lives in memory.
package flatsql

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"time"
)

// A Table answers each query with all of its rows, one after the other, with a pause before each.
type Table struct {
	Rows  []string
	Pause time.Duration
}

// Connect implements driver.Connector.
func (t *Table) Connect(context.Context) (driver.Conn, error) { return conn{t}, nil }

// Driver implements driver.Connector.
func (t *Table) Driver() driver.Driver { return t }

// Open implements driver.Driver.
func (t *Table) Open(string) (driver.Conn, error) { return conn{t}, nil }

type conn struct{ *Table }

func (c conn) Prepare(string) (driver.Stmt, error) { return stmt(c), nil }
func (c conn) Close() error                        { return nil }
func (c conn) Begin() (driver.Tx, error)           { return nil, errors.ErrUnsupported }

type stmt struct{ *Table }

func (s stmt) Close() error                               { return nil }
func (s stmt) NumInput() int                              { return -1 }
func (s stmt) Exec([]driver.Value) (driver.Result, error) { return driver.ResultNoRows, nil }
func (s stmt) Query([]driver.Value) (driver.Rows, error)  { return &rows{Table: s.Table}, nil }

type rows struct {
	*Table
	at int
}

func (r *rows) Columns() []string { return []string{"value"} }
func (r *rows) Close() error      { return nil }

func (r *rows) Next(dest []driver.Value) error {
	if r.at == len(r.Rows) {
		return io.EOF
	}
	time.Sleep(r.Pause)
	dest[0] = r.Rows[r.at]
	r.at++
	return nil
}
