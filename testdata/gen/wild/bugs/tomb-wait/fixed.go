//go:build fixed

package main

import "time"

// start starts the tasks, and one that is always there.
func (p *plugin) start() {
	p.tomb.Go(func() error { return p.run(time.Minute) })
	for _, every := range p.tasks {
		p.tomb.Go(func() error { return p.run(every) })
	}
}
