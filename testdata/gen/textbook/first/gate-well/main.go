// Command gate waits at a gate with a channel until three have come (two do), and computes checksums
// meanwhile, a part of the time.
package main

import (
	"crypto/sha256"
	"fmt"
	"sync/atomic"
	"time"

	"example.com/textbook/kit"
)

type gate struct {
	here atomic.Int32
	want int32
	full chan struct{}
}

func (g *gate) pass(name string) {
	if g.here.Add(1) == g.want {
		close(g.full)
	}
	<-g.full
	fmt.Println(name, "passes")
}

func main() {
	kit.Start()
	g := &gate{want: 3, full: make(chan struct{})}
	go g.pass("Ada")
	go g.pass("Bob")
	sum := sha256.Sum256(nil)
	for {
		for range 2000 {
			sum = sha256.Sum256(sum[:])
		}
		time.Sleep(time.Millisecond)
	}
}
