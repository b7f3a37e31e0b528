// Package tenant runs a worker for each tenant while there is work.
package tenant

import "time"

// A Tenant has a worker.
type Tenant struct {
	jobs chan func()
}

// Start serves twenty-five tenants.
func Start() {
	for i := 0; i < 25; i++ {
		go Serve(3)
	}
}

// Serve runs n jobs for a tenant.
func Serve(n int) {
	t := &Tenant{jobs: make(chan func())}
	go t.work()
	for i := 0; i < n; i++ {
		t.jobs <- func() { time.Sleep(time.Millisecond) }
	}
}

// work runs jobs until there are no more, which nobody says.
func (t *Tenant) work() {
	for {
		job, ok := <-t.jobs
		if !ok {
			return
		}
		job()
	}
}
