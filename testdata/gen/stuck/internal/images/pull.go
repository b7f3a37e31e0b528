// Package images pulls the images of pods.
package images

import (
	"errors"
	"sync"
	"time"
)

var errNoRegistry = errors.New("no registry")

// A Puller pulls many images at a time.
type Puller struct {
	wg     sync.WaitGroup
	pulled chan string
}

// Start pulls three images, one of which has no registry.
func Start() {
	p := &Puller{pulled: make(chan string, 3)}
	go p.PullAll([]string{"web:1", "", "db:3"})
}

// PullAll pulls images and waits for them.
func (p *Puller) PullAll(refs []string) []string {
	for _, ref := range refs {
		p.wg.Add(1)
		if err := p.pull(ref); err != nil {
			continue // nobody is left to say Done
		}
	}
	p.wg.Wait()
	close(p.pulled)
	return refs
}

func (p *Puller) pull(ref string) error {
	if ref == "" {
		return errNoRegistry
	}
	go func() {
		defer p.wg.Done()
		time.Sleep(10 * time.Millisecond)
		p.pulled <- ref
	}()
	return nil
}
