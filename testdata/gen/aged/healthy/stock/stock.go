// Package stock: callers wait for a connection for a moment; a report has one for as long as it goes on.
package stock

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"time"

	"aged/kit"
	"aged/shopdb"
)

type Repo struct{ db *sql.DB }

func (r *Repo) count(ctx context.Context, sku string) (n int64, err error) {
	var name string
	err = r.db.QueryRowContext(ctx, "SELECT count, name FROM stock WHERE slow AND sku = ?", sku).Scan(&n, &name)
	return n, err
}

func (r *Repo) sum(ctx context.Context) (sum int64, err error) {
	rows, err := r.db.QueryContext(ctx, "SELECT id, name FROM history")
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var name string
		if err := rows.Scan(&id, &name); err != nil {
			return 0, err
		}
		sum += id
	}
	return sum, rows.Err()
}

// Main runs it.
func Main() {
	r := &Repo{shopdb.Open(4)}
	go r.sum(context.Background())
	address := kit.API(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		n, err := r.count(req.Context(), req.URL.Path)
		fmt.Fprintln(w, n, err)
	}))
	for range 5 {
		go kit.Visit(address, time.Second, "/A-1", "/B-1")
	}
	kit.Wait()
}
