//go:build !fixed

package main

import (
	"log"
	"net"

	"github.com/chzyer/readline"
)

// leave ends a visit.
func leave(terminal *readline.Instance, conn net.Conn) {
	if err := terminal.Close(); err != nil {
		log.Print(err)
	}
	conn.Close()
}
