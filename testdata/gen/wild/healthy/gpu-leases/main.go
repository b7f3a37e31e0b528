// Command gpu-leases lends the accelerators of a cluster to jobs for three minutes each. A lease ends by its timer, in
// whichever process the job runs: nobody here works while the others wait.
package main

import (
	"log"
	"time"

	"wild/kit"
)

type gpu struct{ id int }

type pool struct{ free chan gpu }

func newPool(n int) *pool {
	p := &pool{free: make(chan gpu, n)}
	for id := 0; id < n; id++ {
		p.free <- gpu{id}
	}
	return p
}

// acquire waits for an accelerator; its lease ends after three minutes.
func (p *pool) acquire() gpu {
	g := <-p.free
	time.AfterFunc(3*time.Minute, func() { p.free <- g })
	return g
}

type queue struct {
	jobs chan int
	pool *pool
}

// dispatch takes a job from the queue and sends it where an accelerator is free.
func (q *queue) dispatch() {
	for job := range q.jobs {
		g := q.pool.acquire()
		log.Printf("job %d on gpu %d", job, g.id)
	}
}

func main() {
	kit.Serve()
	for _, n := range []int{4, 40, 40} {
		q := &queue{jobs: make(chan int, 100), pool: newPool(n)}
		for i := 0; i < 12; i++ {
			go q.dispatch()
		}
		go func() {
			for job := 0; ; job++ {
				q.jobs <- job
				if job > 30 { // after the morning's rush
					time.Sleep(46 * time.Second)
				}
			}
		}()
	}
	select {}
}
