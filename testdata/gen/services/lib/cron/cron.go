// Package cron runs jobs at intervals, in one loop that owns the list of jobs.
package cron

import "time"

type Job func()

type entry struct {
	every time.Duration
	next  time.Time
	job   Job
}

type Cron struct {
	add     chan entry
	list    chan chan int
	stop    chan chan bool
	entries []entry
}

func New() *Cron {
	return &Cron{add: make(chan entry), list: make(chan chan int), stop: make(chan chan bool)}
}

func (c *Cron) Start() { go c.run() }

func (c *Cron) run() {
	timer := time.NewTicker(500 * time.Millisecond)
	defer timer.Stop()
	for {
		select {
		case now := <-timer.C:
			for i := range c.entries {
				if now.After(c.entries[i].next) {
					c.entries[i].next = now.Add(c.entries[i].every)
					c.entries[i].job()
				}
			}
		case e := <-c.add:
			c.entries = append(c.entries, e)
		case answer := <-c.list:
			answer <- len(c.entries)
		case answer := <-c.stop:
			answer <- true
			return
		}
	}
}

func (c *Cron) Schedule(every time.Duration, job Job) {
	c.add <- entry{every, time.Now().Add(every), job}
}

func (c *Cron) Len() int {
	answer := make(chan int)
	c.list <- answer
	return <-answer
}

// Stop returns when no job runs.
func (c *Cron) Stop() {
	answer := make(chan bool)
	c.stop <- answer
	<-answer
}
