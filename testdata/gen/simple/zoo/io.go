package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
)

func acceptClients(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go readClient(conn)
	}
}

func readClient(conn net.Conn) {
	var buf [64]byte
	for {
		if _, err := conn.Read(buf[:]); err != nil {
			return
		}
	}
}

func readPipe(r io.Reader) {
	var buf [64]byte
	r.Read(buf[:])
}

// readRaw reads a descriptor past the poller: the goroutine shows as in a system call.
func readRaw(fd int) {
	var buf [64]byte
	syscall.Read(fd, buf[:])
}

// keepIO starts goroutines that wait for the network, for pipes, and inside a system call. It connects to itself only.
func keepIO() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fail("listening", err)
	}
	clients := size("main.readClient")
	go acceptClients(l)
	for i := 0; i < clients; i++ {
		conn, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			fail("dialling", err)
		}
		keep = append(keep, conn)
	}
	for i := 0; i < size("main.readPipe"); i++ {
		r, w, err := os.Pipe()
		if err != nil {
			fail("making a pipe", err)
		}
		keep = append(keep, w)
		go readPipe(r)
	}
	for i := 0; i < size("main.readRaw"); i++ {
		var p [2]int
		if err := syscall.Pipe(p[:]); err != nil {
			fail("making a raw pipe", err)
		}
		go readRaw(p[0])
	}
}

// keep holds what a finalizer would otherwise close.
var keep []io.Closer

func fail(doing string, err error) {
	fmt.Fprintln(os.Stderr, "zoo:", doing, err)
	os.Exit(1)
}
