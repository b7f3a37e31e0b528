// Package wages reads and raises wages.
package wages

import (
	"database/sql"
	"log"
)

// A Book is a table of wages.
type Book struct{ DB *sql.DB }

// Latest is in cents.
func (b *Book) Latest(worker string) (cents int, err error) {
	rows, err := b.DB.Query("SELECT cents FROM wages WHERE worker = ? ORDER BY month DESC", worker)
	if err != nil {
		return 0, err
	}
	if !rows.Next() {
		return 0, sql.ErrNoRows
	}
	err = rows.Scan(&cents)
	return cents, err
}

// Raise raises wages until there is no more to come.
func (b *Book) Raise(whose <-chan string) {
	for w := range whose {
		if _, err := b.DB.Exec("UPDATE wages SET cents = cents * 1.02 WHERE worker LIKE ?", w); err != nil {
			log.Print(err)
		}
	}
}
