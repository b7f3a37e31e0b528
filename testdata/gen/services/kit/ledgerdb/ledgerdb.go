// Package ledgerdb is a database's driver: ten rows an answer, some milliseconds each.
package ledgerdb

import (
	"database/sql"
	"database/sql/driver"
	"io"
	"time"
)

type (
	drv  struct{ pace time.Duration }
	conn struct{ pace time.Duration }
	stmt struct{ pace time.Duration }
	rows struct {
		n    int
		pace time.Duration
	}
	tx struct{}
)

func (d drv) Open(string) (driver.Conn, error)           { return conn{d.pace}, nil }
func (c conn) Prepare(string) (driver.Stmt, error)       { return stmt{c.pace}, nil }
func (conn) Close() error                                { return nil }
func (conn) Begin() (driver.Tx, error)                   { return tx{}, nil }
func (tx) Commit() error                                 { return nil }
func (tx) Rollback() error                               { return nil }
func (stmt) Close() error                                { return nil }
func (stmt) NumInput() int                               { return -1 }
func (stmt) Exec([]driver.Value) (driver.Result, error)  { return driver.RowsAffected(1), nil }
func (s stmt) Query([]driver.Value) (driver.Rows, error) { return &rows{pace: s.pace}, nil }
func (*rows) Columns() []string                          { return []string{"id"} }
func (*rows) Close() error                               { return nil }
func (r *rows) Next(dest []driver.Value) error {
	if r.n++; r.n > 10 {
		return io.EOF
	}
	time.Sleep(r.pace)
	dest[0] = int64(r.n)
	return nil
}

// Open opens a database with so many connections at most. It may be called once.
func Open(conns int, pace time.Duration) *sql.DB {
	sql.Register("ledgerdb", drv{pace})
	db, err := sql.Open("ledgerdb", "")
	if err != nil {
		panic(err)
	}
	db.SetMaxOpenConns(conns)
	return db
}
