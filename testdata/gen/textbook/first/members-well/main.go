// Command members lists members; rows are closed, and six readers share four connections.
package main

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"io"
	"strings"
	"time"

	"example.com/textbook/kit"
)

func names(db *sql.DB, letter string) (string, error) {
	rows, err := db.Query("SELECT name FROM members")
	if err != nil {
		return "", err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return "", err
		}
		if strings.HasPrefix(name, letter) {
			return name, nil
		}
	}
	return "", rows.Err()
}

func main() {
	kit.Start()
	sql.Register("list", list{})
	db, err := sql.Open("list", "")
	if err != nil {
		panic(err)
	}
	db.SetMaxOpenConns(4)
	for range 6 {
		go func() {
			for {
				fmt.Println(names(db, "B"))
				time.Sleep(50 * time.Millisecond)
			}
		}()
	}
	select {}
}

// A list is a driver, a connection, a statement and the rows of it.
type list struct{ left *int }

func (l list) Open(string) (driver.Conn, error)           { return list{new(int)}, nil }
func (l list) Prepare(string) (driver.Stmt, error)        { return list{new(int)}, nil }
func (l list) Begin() (driver.Tx, error)                  { return nil, driver.ErrSkip }
func (l list) Close() error                               { return nil }
func (l list) NumInput() int                              { return 0 }
func (l list) Exec([]driver.Value) (driver.Result, error) { return nil, driver.ErrSkip }
func (l list) Query([]driver.Value) (driver.Rows, error)  { return list{new(int)}, nil }
func (l list) Columns() []string                          { return []string{"name"} }

func (l list) Next(dest []driver.Value) error {
	if *l.left++; *l.left > 3 {
		return io.EOF
	}
	time.Sleep(10 * time.Millisecond)
	dest[0] = []string{"Ann", "Bob", "Cid"}[*l.left-1]
	return nil
}
