package main

import (
	"coded/kit"
	"os"
)

type cache struct {
	stop chan struct{}
	f    *os.File
}

func (c *cache) onStop() { <-c.stop; c.f.Close() }
func (c *cache) end()    { close(c.stop) }
func open() *cache {
	c := &cache{stop: make(chan struct{})}
	f, err := os.CreateTemp("", "x")
	if err != nil {
		c.end()
	}
	c.f = f
	go c.onStop()
	return c
}
func main() {
	kit.Serve()
	for i := 0; i < 3; i++ {
		open()
	}
	kit.Wait()
}
