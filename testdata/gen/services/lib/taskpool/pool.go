// Package taskpool runs tasks on a fixed number of workers.
package taskpool

import "sync"

type Pool struct {
	tasks chan func()
	wg    sync.WaitGroup
}

func New(workers, queue int) *Pool {
	p := &Pool{tasks: make(chan func(), queue)}
	for range workers {
		p.wg.Add(1)
		go p.worker()
	}
	return p
}

func (p *Pool) worker() {
	defer p.wg.Done()
	for task := range p.tasks {
		task()
	}
}

// Submit waits for room in the queue.
func (p *Pool) Submit(task func()) { p.tasks <- task }

// StopAndWait runs what is queued and returns when all workers have ended.
func (p *Pool) StopAndWait() {
	close(p.tasks)
	p.wg.Wait()
}
