// Package backup copies volumes away.
package backup

import (
	"sync"
	"time"
)

// A Job copies one volume in parts.
type Job struct {
	parts  []string
	copied sync.WaitGroup
}

// Start runs six jobs, each with a part that is there already.
func Start() {
	for i := 0; i < 6; i++ {
		j := &Job{parts: []string{"p1", "have", "p3"}}
		go j.Run()
	}
}

// Run copies the parts and waits for all of them.
func (j *Job) Run() {
	j.copied.Add(len(j.parts))
	for _, part := range j.parts {
		go j.copy(part)
	}
	j.copied.Wait()
}

func (j *Job) copy(part string) {
	if part == "have" {
		return
	}
	time.Sleep(10 * time.Millisecond)
	j.copied.Done()
}
