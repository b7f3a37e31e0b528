// Package repo reads invoices and their lines.
package repo

import (
	"context"
	"database/sql"
)

type Repo struct{ DB *sql.DB }

// Total sums the lines of all invoices of a customer.
func (r *Repo) Total(ctx context.Context, customer int) (sum int64, err error) {
	rows, err := r.DB.QueryContext(ctx, "select id from invoices", customer)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return 0, err
		}
		amount, err := r.lines(ctx, id)
		if err != nil {
			return 0, err
		}
		sum += amount
	}
	return sum, rows.Err()
}

func (r *Repo) lines(ctx context.Context, id int64) (amount int64, err error) {
	err = r.DB.QueryRowContext(ctx, "select id from lines", id).Scan(&amount)
	return amount, err
}
