// Package shop keeps orders in a database.
package shop

import (
	"database/sql"
	"database/sql/driver"
	"io"
	"time"
)

// A Shop has a table of orders and one of prices.
type Shop struct{ db *sql.DB }

// Open opens the database with at most n connections.
func Open(n int) (*Shop, error) {
	sql.Register("tables", table{})
	db, err := sql.Open("tables", "")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(n)
	return &Shop{db}, nil
}

// Total is what all orders cost.
func (s *Shop) Total() (total int, err error) {
	rows, err := s.db.Query("SELECT id FROM orders")
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int
		if err := rows.Scan(&id); err != nil {
			return 0, err
		}
		price, err := s.price(id)
		if err != nil {
			return 0, err
		}
		total += price
	}
	return total, rows.Err()
}

func (s *Shop) price(id int) (price int, err error) {
	err = s.db.QueryRow("SELECT price FROM prices").Scan(&price)
	return price * id, err
}

// A table is a driver, a connection, a statement and rows with three numbers.
type table struct{ row *int }

func (t table) Open(string) (driver.Conn, error)           { return table{}, nil }
func (t table) Prepare(string) (driver.Stmt, error)        { return table{}, nil }
func (t table) Begin() (driver.Tx, error)                  { return nil, driver.ErrSkip }
func (t table) Close() error                               { return nil }
func (t table) NumInput() int                              { return 0 }
func (t table) Exec([]driver.Value) (driver.Result, error) { return nil, driver.ErrSkip }
func (t table) Query([]driver.Value) (driver.Rows, error)  { return table{new(int)}, nil }
func (t table) Columns() []string                          { return []string{"number"} }

func (t table) Next(dest []driver.Value) error {
	if *t.row++; *t.row > 3 {
		return io.EOF
	}
	time.Sleep(8 * time.Millisecond)
	dest[0] = int64(*t.row)
	return nil
}
