package main

import (
	"database/sql/driver"
	"io"
)

// A ledger is a database driver with one table, accounts, in which every account has the same balance.
type ledger struct{}

func (ledger) Open(string) (driver.Conn, error) { return conn{}, nil }

type conn struct{}

func (conn) Prepare(query string) (driver.Stmt, error) { return stmt{}, nil }
func (conn) Close() error                              { return nil }
func (conn) Begin() (driver.Tx, error)                 { return tx{}, nil }

type tx struct{}

func (tx) Commit() error   { return nil }
func (tx) Rollback() error { return nil }

type stmt struct{}

func (stmt) Close() error  { return nil }
func (stmt) NumInput() int { return -1 }

func (stmt) Exec([]driver.Value) (driver.Result, error) { return driver.RowsAffected(1), nil }

func (stmt) Query(args []driver.Value) (driver.Rows, error) {
	return &rows{id: args[0]}, nil
}

// Rows are the one row of an account.
type rows struct {
	id   driver.Value
	read bool
}

func (*rows) Columns() []string { return []string{"id", "balance"} }
func (*rows) Close() error      { return nil }

func (r *rows) Next(values []driver.Value) error {
	if r.read {
		return io.EOF
	}
	r.read = true
	values[0], values[1] = r.id, int64(500)
	return nil
}
