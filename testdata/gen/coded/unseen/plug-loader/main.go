// Plug-loader starts what plugs register, and waits for it.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

type plug struct {
	name string
	run  func()
}

type loader struct {
	plugs []plug
	wg    sync.WaitGroup
}

// add registers a plug that reports when it is done.
func (l *loader) add(name string, after time.Duration) {
	l.wg.Add(1)
	l.plugs = append(l.plugs, plug{name, func() {
		time.Sleep(after)
		l.wg.Done()
	}})
}

// start starts the plugs one after the other.
func (l *loader) start() {
	for _, p := range l.plugs {
		log.Print(p.name)
		p.run()
	}
}

func main() {
	kit.Serve()
	l := &loader{}
	l.add("fonts", 20*time.Minute)
	l.add("themes", 30*time.Minute)
	go l.start()
	l.wg.Wait()
}
