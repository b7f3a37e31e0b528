// Mill-results hands flour to the shops.
package main

import (
	"coded/kit"
	"coded/seen/mill-results/mill"
	"coded/seen/mill-results/shop"
)

func main() {
	kit.Serve()
	m := mill.New(4)
	go shop.Open(m.Sacks())
	kit.Wait()
}
