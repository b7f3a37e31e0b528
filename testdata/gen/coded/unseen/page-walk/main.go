package main

import "coded/kit"

type crawl struct{ urls chan int }

func (c *crawl) run() {
	for u := range c.urls {
		c.visit(u)
	}
}
func (c *crawl) visit(u int) {
	if u > 0 {
		c.post(u - 1)
	}
}
func (c *crawl) post(u int) { c.urls <- u }
func main() {
	kit.Serve()
	c := &crawl{make(chan int, 100)}
	go c.run()
	c.post(5)
	kit.Wait()
}
