// Form-check checks forms. Some make it panic, which is caught.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

type checker struct {
	mu     sync.Mutex
	forms  int
	wanted chan int
}

// check looks at a form.
func (c *checker) check(form []string) (ok bool) {
	defer func() {
		if p := recover(); p != nil {
			log.Print("refused: ", p)
		}
	}()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forms++
	return form[2] != ""
}

// worker checks as many forms as are asked for.
func (c *checker) worker() {
	for n := range c.wanted {
		for ; n > 0; n-- {
			c.check(make([]string, n))
		}
	}
}

func main() {
	kit.Serve()
	c := &checker{wanted: make(chan int)}
	for n := 0; n < 4; n++ {
		go c.worker()
	}
	for {
		c.wanted <- 5
		time.Sleep(20 * time.Minute)
	}
}
