// Command ledger books transfers in a database whose pool has five connections for 24 clerks: the others wait a moment for
// one. Transactions have deadlines, auditors read rows one by one.
package main

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"example.com/well/dumper"
	"example.com/well/ledger/internal/memdb"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	db := sql.OpenDB(memdb.New())
	defer db.Close()
	db.SetMaxOpenConns(5)
	db.SetMaxIdleConns(3)
	db.SetConnMaxLifetime(2 * time.Second)
	b := &book{db: db}
	for i := 0; i < 24; i++ {
		go b.clerk(ctx, i)
	}
	for i := 0; i < 3; i++ {
		go b.auditor(ctx)
	}
	dumper.Ready()
	<-ctx.Done()
}

type book struct{ db *sql.DB }

// clerk books one transfer after the other.
func (b *book) clerk(ctx context.Context, account int) {
	for ctx.Err() == nil {
		if err := b.transfer(ctx, account, account+1); err != nil {
			fmt.Fprintln(os.Stderr, "ledger:", err)
		}
		time.Sleep(25 * time.Millisecond)
	}
}

func (b *book) transfer(ctx context.Context, from, to int) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("beginning a transfer: %w", err)
	}
	defer tx.Rollback()
	for _, account := range []int{from, to} {
		if _, err := tx.ExecContext(ctx, "book", account); err != nil {
			return fmt.Errorf("booking on %d: %w", account, err)
		}
	}
	return tx.Commit()
}

// auditor adds up all accounts.
func (b *book) auditor(ctx context.Context) {
	for ctx.Err() == nil {
		if err := b.total(ctx); err != nil {
			fmt.Fprintln(os.Stderr, "ledger:", err)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func (b *book) total(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	rows, err := b.db.QueryContext(ctx, "list")
	if err != nil {
		return fmt.Errorf("listing accounts: %w", err)
	}
	defer rows.Close()
	sum := int64(0)
	for rows.Next() {
		var amount int64
		if err := rows.Scan(&amount); err != nil {
			return fmt.Errorf("reading an account: %w", err)
		}
		sum += amount
	}
	return rows.Err()
}
