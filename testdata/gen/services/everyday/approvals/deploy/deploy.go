// Package deploy runs deployments one by one, each with the pauses that it has been told to make.
package deploy

import (
	"time"

	"github.com/panjf2000/ants/v2"
)

// A Deployment ends when its last step is done.
type Deployment struct {
	done  chan struct{}
	steps int
}

// Engine runs deployments.
type Engine struct{ pool *ants.Pool }

// New returns an engine.
func New() (*Engine, error) {
	pool, err := ants.NewPool(50)
	return &Engine{pool}, err
}

// Start starts a deployment.
func (e *Engine) Start() (*Deployment, error) {
	d := &Deployment{done: make(chan struct{}), steps: 9}
	return d, e.pool.Submit(d.run)
}

func (d *Deployment) run() {
	defer close(d.done)
	for range d.steps {
		time.Sleep(5 * time.Minute)
	}
}

// Result waits for the end of a deployment.
func (d *Deployment) Result() int {
	<-d.done
	return d.steps
}
