// A migration connects to its database before it applies its steps. The database is behind a firewall, and main panics
// with the chain of errors.
package main

import (
	"fmt"
	"net"
	"time"
)

const database = "192.0.2.10:5432"

type step struct {
	name string
	sql  string
}

type migration []step

func connect(addr string) (net.Conn, error) {
	conn, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return nil, fmt.Errorf("connect to billing: %w", err)
	}
	return conn, nil
}

func (m migration) apply(addr string) error {
	for _, s := range m {
		conn, err := connect(addr)
		if err != nil {
			return fmt.Errorf("step %s: %w", s.name, err)
		}
		fmt.Fprintln(conn, s.sql)
		conn.Close()
	}
	return nil
}

func main() {
	m := migration{{"0007_invoices", "ALTER TABLE invoices ADD due date"}, {"0008_taxes", "CREATE TABLE taxes (rate int)"}}
	if err := m.apply(database); err != nil {
		panic(fmt.Errorf("migrate: %w", err))
	}
	fmt.Println(len(m), "steps applied")
}
