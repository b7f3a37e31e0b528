// Command tomb-wait runs plugins, which it starts anew when their configuration changes.
//
// https://github.com/go-tomb/tomb/issues/14
package main

import (
	"log"
	"time"

	"gopkg.in/tomb.v2"

	"wild/kit"
)

// A plugin does its tasks until it is stopped.
type plugin struct {
	tomb  tomb.Tomb
	tasks []time.Duration
}

func main() {
	kit.Serve()
	configurations := [][]time.Duration{{time.Second}, {time.Second, 2 * time.Second}, {}, {time.Second}}
	for n := 0; ; n++ {
		p := &plugin{tasks: configurations[n%len(configurations)]}
		p.start()
		time.Sleep(2 * time.Second)
		p.stop()
		log.Print("new configuration")
	}
}

// run does one task again and again.
func (p *plugin) run(every time.Duration) error {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
		case <-p.tomb.Dying():
			return nil
		}
	}
}

// stop returns when all tasks have ended.
func (p *plugin) stop() {
	p.tomb.Kill(nil)
	p.tomb.Wait()
}
