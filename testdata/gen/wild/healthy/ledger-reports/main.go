// Command ledger-reports answers from a database with three connections. Long exports read their rows slowly, at the pace
// of their receiver, and short queries wait until one is through.
package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"io"
	"log"
	"time"

	"wild/kit"
)

// The driver of the ledger's database: 60 rows an answer.
type (
	ledgerDriver struct{}
	ledgerConn   struct{}
	ledgerStmt   struct{}
	ledgerRows   struct{ n int }
)

func (ledgerDriver) Open(string) (driver.Conn, error)         { return ledgerConn{}, nil }
func (ledgerConn) Prepare(string) (driver.Stmt, error)        { return ledgerStmt{}, nil }
func (ledgerConn) Close() error                               { return nil }
func (ledgerConn) Begin() (driver.Tx, error)                  { return nil, driver.ErrSkip }
func (ledgerStmt) Close() error                               { return nil }
func (ledgerStmt) NumInput() int                              { return 0 }
func (ledgerStmt) Exec([]driver.Value) (driver.Result, error) { return nil, driver.ErrSkip }
func (ledgerStmt) Query([]driver.Value) (driver.Rows, error)  { return &ledgerRows{}, nil }
func (*ledgerRows) Columns() []string                         { return []string{"amount"} }
func (*ledgerRows) Close() error                              { return nil }
func (r *ledgerRows) Next(dest []driver.Value) error {
	if r.n++; r.n > 60 {
		return io.EOF
	}
	dest[0] = int64(r.n)
	return nil
}

type reports struct {
	db   *sql.DB
	pace chan int64
}

// export writes all amounts to the receiver, which takes thirty a second.
func (r *reports) export(ctx context.Context) error {
	rows, err := r.db.QueryContext(ctx, "select amount from entries")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var amount int64
		if err := rows.Scan(&amount); err != nil {
			return err
		}
		r.pace <- amount
	}
	return rows.Err()
}

// receive takes amounts as fast as the line allows.
func (r *reports) receive() {
	for range time.Tick(33 * time.Millisecond) {
		<-r.pace
	}
}

func (r *reports) balance(ctx context.Context) (sum int64, err error) {
	err = r.db.QueryRowContext(ctx, "select amount from entries limit 1").Scan(&sum)
	return sum, err
}

func main() {
	kit.Serve()
	sql.Register("ledger", ledgerDriver{})
	db, err := sql.Open("ledger", "")
	if err != nil {
		log.Fatal(err)
	}
	db.SetMaxOpenConns(3)
	ctx := context.Background()
	r := &reports{db: db, pace: make(chan int64)}
	go r.receive()
	for i := 0; ; i++ {
		if i < 8 {
			go func() {
				for {
					if err := r.export(ctx); err != nil {
						log.Print(err)
					}
				}
			}()
		}
		go r.balance(ctx)
		time.Sleep(3 * time.Second)
	}
}
