// Package bills answers from a database with few connections, and more ask than it has.
package bills

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"time"

	"example.com/services/kit"
	"example.com/services/kit/ledgerdb"
)

type repo struct{ db *sql.DB }

func (r *repo) total(ctx context.Context) (sum int64, err error) {
	rows, err := r.db.QueryContext(ctx, "select id from lines")
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return 0, err
		}
		sum += id
	}
	return sum, rows.Err()
}

func Main() {
	kit.Start()
	r := &repo{ledgerdb.Open(4, 80*time.Millisecond)}
	url := kit.API(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		sum, err := r.total(req.Context())
		fmt.Fprintln(w, sum, err)
	}))
	kit.Ask(100000, 190*time.Millisecond, url)
}
