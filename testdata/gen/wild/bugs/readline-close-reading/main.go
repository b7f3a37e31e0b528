// Command readline-close-reading has a console on a connection.
//
// https://github.com/chzyer/readline/issues/217
package main

import (
	"io"
	"log"
	"net"
	"time"

	"github.com/chzyer/readline"

	"wild/kit"
)

func main() {
	kit.Serve()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	go visit(listener.Addr().String())
	for {
		conn, err := listener.Accept()
		if err != nil {
			log.Fatal(err)
		}
		serve(conn)
	}
}

// serve answers what is typed until it is "quit".
func serve(conn net.Conn) {
	terminal, err := readline.NewEx(&readline.Config{
		Stdin: io.NopCloser(conn), Stdout: conn, Stderr: conn,
		FuncIsTerminal: func() bool { return true },
		FuncGetWidth:   func() int { return 80 },
		FuncMakeRaw:    func() error { return nil },
		FuncExitRaw:    func() error { return nil },
	})
	if err != nil {
		log.Fatal(err)
	}
	lines := make(chan string)
	go read(terminal, lines)
	for line := range lines {
		if line == "quit" {
			break
		}
		io.WriteString(conn, "you said "+line+"\n")
	}
	leave(terminal, conn)
	log.Print("a visitor has left")
}

// read reads lines until the end of the input.
func read(terminal *readline.Instance, lines chan<- string) {
	for {
		line, err := terminal.Readline()
		if err != nil {
			return
		}
		lines <- line
	}
}

// visit is the other end: it says two words and waits for the end of the connection.
func visit(address string) {
	for {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			log.Fatal(err)
		}
		for _, line := range []string{"status\r", "quit\r"} {
			time.Sleep(200 * time.Millisecond)
			io.WriteString(conn, line)
		}
		io.Copy(io.Discard, conn)
		conn.Close()
	}
}
