// Key-courier has a lock for each customer: a clerk locks it and hands the parcel on; who delivers it unlocks.
package main

import (
	"os/exec"
	"sync"

	"coded/kit"
)

// keyed is a lock for each key.
type keyed struct{ locks sync.Map }

func (k *keyed) lock(key string) {
	l, _ := k.locks.LoadOrStore(key, new(sync.Mutex))
	l.(*sync.Mutex).Lock()
}

func (k *keyed) unlock(key string) {
	l, _ := k.locks.Load(key)
	l.(*sync.Mutex).Unlock()
}

type office struct {
	customers keyed
	parcels   chan string
	out       sync.WaitGroup
}

// accept takes a parcel for a customer who has none on its way.
func (o *office) accept(customer string) {
	o.customers.lock(customer)
	o.parcels <- customer
}

// deliver delivers parcels; one takes as long as the van is away.
func (o *office) deliver() {
	for customer := range o.parcels {
		o.drive()
		o.customers.unlock(customer)
		o.out.Done()
	}
}

func (o *office) drive() { _ = exec.Command("sleep", "205").Run() }

func main() {
	kit.Serve()
	o := &office{parcels: make(chan string)}
	go o.deliver()
	o.out.Add(3)
	for i := 0; i < 3; i++ {
		o.accept("mill lane")
	}
	o.out.Wait()
}
