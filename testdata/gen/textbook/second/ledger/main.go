// A ledger prints statements: while it reads a statement's rows it asks for the payee of each. The pool has two
// connections, and two statements that are read at a time have both.
package main

import (
	"database/sql"
	"log"
	"time"

	"example.com/textbook/kit"
	"example.com/textbook/second/internal/flatsql"
)

type ledger struct{ *sql.DB }

func (l ledger) payee(id string) (name string, err error) {
	err = l.QueryRow("SELECT name FROM payees WHERE id = ?", id).Scan(&name)
	return name, err
}

func (l *ledger) statement(month int) (lines []string, err error) {
	rows, err := l.Query("SELECT payee FROM entries WHERE month = ?", month)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		name, err := l.payee(id)
		if err != nil {
			return nil, err
		}
		lines = append(lines, name)
	}
	return lines, rows.Err()
}

func main() {
	kit.Start()
	l := ledger{sql.OpenDB(&flatsql.Table{Rows: []string{"rent", "power", "salt"}, Pause: 5 * time.Millisecond})}
	l.SetMaxOpenConns(2)
	for clerk := range 5 {
		go func() {
			for month := clerk; ; month++ {
				if _, err := l.statement(month % 12); err != nil {
					log.Print(err)
				}
			}
		}()
	}
	select {}
}
