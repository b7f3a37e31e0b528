// Command chat is a chat server with 300 members connected: each has a goroutine that reads and one that writes, and the one
// that accepted it is gone. The members are a second process; most are silent for as long as the process lives.
package main

import (
	"fmt"
	"net"
	"os"
	"os/signal"
	"syscall"

	"example.com/well/chat/internal/hub"
	"example.com/well/dumper"
	"example.com/well/sibling"
)

const (
	members = 300
	rooms   = 10
)

func main() {
	run := serve
	if len(os.Args) > 2 && os.Args[1] == "members" {
		run = func() error { return invite(os.Args[2]) }
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "chat:", err)
		os.Exit(1)
	}
}

func serve() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listening: %w", err)
	}
	go hub.New().Serve(l)
	crowd, err := sibling.Start("members", l.Addr().String())
	if err != nil {
		return err
	}
	defer crowd.Close()
	dumper.Ready()
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	<-stop
	return l.Close()
}
