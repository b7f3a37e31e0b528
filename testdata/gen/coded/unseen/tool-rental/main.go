// Tool-rental serves calls: Acquire locks a tool for a client, Release, another call, unlocks it.
package main

import (
	"net"
	"net/rpc"
	"sync"
	"time"

	"coded/kit"
)

// Desk is the service.
type Desk struct {
	tool sync.Mutex
	lent int
}

// Acquire waits until the tool is there.
func (d *Desk) Acquire(client string, nth *int) error {
	d.lend(nth)
	return nil
}

func (d *Desk) lend(nth *int) {
	d.tool.Lock()
	d.lent++
	*nth = d.lent
}

// Release gives the tool back.
func (d *Desk) Release(client string, ok *bool) error {
	d.tool.Unlock()
	*ok = true
	return nil
}

// dig works with the tool in steps.
func dig(c *rpc.Client, name string) {
	var nth int
	if c.Call("Desk.Acquire", name, &nth) != nil {
		return
	}
	for i := 0; i < 205; i++ {
		time.Sleep(time.Second)
	}
	var ok bool
	_ = c.Call("Desk.Release", name, &ok)
}

func main() {
	kit.Serve()
	if err := rpc.Register(&Desk{}); err != nil {
		panic(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go rpc.Accept(l)
	var diggers sync.WaitGroup
	for _, name := range []string{"ada", "bob"} {
		c, err := rpc.Dial("tcp", l.Addr().String())
		if err != nil {
			panic(err)
		}
		diggers.Add(1)
		go func(name string) {
			defer diggers.Done()
			dig(c, name)
		}(name)
		time.Sleep(time.Second)
	}
	diggers.Wait()
}
