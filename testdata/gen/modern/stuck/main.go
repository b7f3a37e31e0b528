// Command stuck waits for ever in the way that its argument names, in a process that otherwise goes on (its HTTP
// server keeps the runtime from seeing a deadlock).
package main

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: stuck KIND")
		os.Exit(2)
	}
	time.AfterFunc(30*time.Second, func() { os.Exit(3) })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, "stuck: listening:", err)
		os.Exit(1)
	}
	go http.Serve(l, http.NotFoundHandler())
	if !start(os.Args[1]) {
		fmt.Fprintln(os.Stderr, "stuck: no kind", os.Args[1])
		os.Exit(2)
	}
	time.Sleep(300 * time.Millisecond)
	pipe := os.NewFile(3, "ready")
	pipe.WriteString("ready\n")
	pipe.Close()
	time.Sleep(time.Hour)
}

func start(kind string) bool {
	switch kind {
	case "abba": // two locks, taken in both orders
		a, b := &account{name: "a"}, &account{name: "b"}
		go a.transfer(b)
		go b.transfer(a)
	case "double-lock": // a method that holds the lock calls another that takes it
		go new(account).close()
	case "reader-recursion": // a reader reads again while a writer waits
		c := new(catalog)
		go c.list()
		time.Sleep(20 * time.Millisecond)
		go c.add()
	case "send-under-lock": // the holder sends to a channel whose reader needs the lock
		b := &board{updates: make(chan int)}
		go b.publish()
		time.Sleep(20 * time.Millisecond)
		for i := 0; i < 12; i++ {
			go b.read()
		}
	case "read-under-lock": // the holder waits for the network
		server, client := net.Pipe()
		_ = server
		p := &pool{conn: client}
		go p.refresh()
		time.Sleep(20 * time.Millisecond)
		for i := 0; i < 12; i++ {
			go p.get()
		}
	case "waitgroup": // one Done too few
		go waitForParts(3)
	default:
		return false
	}
	return true
}

type account struct {
	name string
	mu   sync.Mutex
	sum  int
}

func (a *account) transfer(to *account) {
	a.mu.Lock()
	defer a.mu.Unlock()
	time.Sleep(50 * time.Millisecond)
	to.deposit(1)
}

func (a *account) deposit(n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sum += n
}

func (a *account) close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.deposit(-a.sum)
}

type catalog struct {
	mu    sync.RWMutex
	items []string
}

func (c *catalog) list() []string {
	c.mu.RLock()
	defer c.mu.RUnlock()
	time.Sleep(100 * time.Millisecond)
	return c.items[:c.size()]
}

func (c *catalog) size() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return len(c.items)
}

func (c *catalog) add() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.items = append(c.items, "new")
}

type board struct {
	mu      sync.Mutex
	version int
	updates chan int
}

func (b *board) publish() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.version++
	b.updates <- b.version
}

func (b *board) read() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return <-b.updates
}

type pool struct {
	mu   sync.Mutex
	conn net.Conn
}

func (p *pool) refresh() {
	p.mu.Lock()
	defer p.mu.Unlock()
	var answer [1]byte
	p.conn.Read(answer[:])
}

func (p *pool) get() net.Conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.conn
}

func waitForParts(n int) {
	var parts sync.WaitGroup
	for i := 0; i < n; i++ {
		parts.Add(1)
		go func(i int) {
			if i == 1 {
				return // forgets to say so
			}
			parts.Done()
		}(i)
	}
	parts.Wait()
}
