// Package tollgate lets ten cars a second through; more come in the rush and wait.
package tollgate

import (
	"time"

	"example.com/services/kit"
)

type Gate struct{ tokens chan struct{} }

func (g *Gate) refill() {
	for range time.Tick(100 * time.Millisecond) {
		g.tokens <- struct{}{}
	}
}

func (g *Gate) Pass() { <-g.tokens }

func Main() {
	kit.Start()
	g := &Gate{make(chan struct{})}
	go g.refill()
	for range 90 {
		go func() {
			for {
				g.Pass()
			}
		}()
	}
	kit.Wait()
}
