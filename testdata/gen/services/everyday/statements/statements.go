// Package statements writes bank statements at night: 120 at a time, through a pool of database/sql with six
// connections, a query of six seconds each.
//
// It looks like a pool whose connections are never returned (sql-pool-exhausted): more than a hundred wait, some for two
// minutes. All connections are at work, and each statement has its turn.
package statements

import (
	"bufio"
	"context"
	"database/sql"
	"net"
	"sync"
	"time"

	"example.com/services/kit"
)

// database answers each line after six seconds.
func database(conn net.Conn) {
	defer conn.Close()
	for lines := bufio.NewScanner(conn); lines.Scan(); {
		time.Sleep(6 * time.Second)
		conn.Write([]byte("1"))
	}
}

type printer struct {
	db    *sql.DB
	mu    sync.Mutex
	total int64
}

func (p *printer) statement(ctx context.Context) error {
	var sum int64
	if err := p.db.QueryRowContext(ctx, "select sum(amount) from ledger").Scan(&sum); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.total += sum
	return nil
}

// Main prints.
func Main() {
	kit.Start()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go database(conn)
		}
	}()
	p := &printer{db: sql.OpenDB(ledger{l.Addr().String()})}
	p.db.SetMaxOpenConns(6)
	for range 120 {
		go func() {
			for {
				p.statement(context.Background())
			}
		}()
	}
	kit.Wait()
}
