//go:build !fixed

package main

// start starts the tasks.
func (p *plugin) start() {
	for _, every := range p.tasks {
		p.tomb.Go(func() error { return p.run(every) })
	}
}
