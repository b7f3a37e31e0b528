// Command gate waits at a gate with runtime.Gosched until two have come; only one comes.
package main

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"example.com/textbook/kit"
)

type gate struct {
	here atomic.Int32
	want int32
}

func (g *gate) pass(name string) {
	g.here.Add(1)
	for g.here.Load() < g.want {
		runtime.Gosched()
	}
	fmt.Println(name, "passes")
}

func main() {
	kit.Start()
	g := &gate{want: 2}
	go g.pass("Ada")
	for range time.Tick(time.Minute) {
		fmt.Println(g.here.Load(), "at the gate")
	}
}
