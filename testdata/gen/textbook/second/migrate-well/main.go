// A migration connects to its database before it applies its steps. The first database is behind a firewall, so main logs
// the chain of errors and goes on with the second one.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"time"

	"example.com/textbook/kit"
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
	kit.Start()
	if err := m.apply(database); err != nil {
		log.Print(fmt.Errorf("migrate: %w", err))
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for conn, err := ln.Accept(); err == nil; conn, err = ln.Accept() {
			io.Copy(io.Discard, conn)
			conn.Close()
		}
	}()
	for ; err == nil; err = m.apply(ln.Addr().String()) {
		time.Sleep(2 * time.Second)
	}
	fmt.Println(len(m), "steps applied")
}
