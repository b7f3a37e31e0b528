// Package connlog writes the lines of each connection to a log of its own.
package connlog

import "time"

type conn struct {
	lines chan string
	bytes int
}

// Start handles twenty connections.
func Start() {
	for i := 0; i < 20; i++ {
		go handle()
	}
}

// handle serves a connection, and forgets to close its log.
func handle() {
	c := &conn{lines: make(chan string, 4)}
	go c.writeLog()
	c.lines <- "opened"
	time.Sleep(10 * time.Millisecond)
	c.lines <- "closed"
}

func (c *conn) writeLog() {
	for line := range c.lines {
		c.bytes += len(line)
	}
}
