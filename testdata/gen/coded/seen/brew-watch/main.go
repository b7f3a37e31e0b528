// Brew-watch watches kettles. The watcher is given away as a method's value.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

type kettle struct {
	heat chan int
	off  chan struct{}
}

func (k kettle) warm(degrees int) { k.heat <- degrees }
func (k kettle) stop()            { close(k.off) }

var (
	mu       sync.Mutex
	handlers = map[string]func(int){}
	stops    = map[string]func(){}
)

func main() {
	kit.Serve()
	for _, name := range []string{"copper", "steel", "clay"} {
		watch(name)
	}
	for {
		time.Sleep(18 * time.Minute)
		mu.Lock()
		for _, warm := range handlers {
			warm(5)
		}
		mu.Unlock()
	}
}

// watch logs the heat of a kettle until it is off.
func watch(name string) {
	heat, off := make(chan int), make(chan struct{})
	k := kettle{heat, off}
	mu.Lock()
	handlers[name], stops[name] = k.warm, k.stop
	mu.Unlock()
	go func() {
		for {
			select {
			case degrees := <-heat:
				log.Print(name, degrees)
			case <-off:
				return
			}
		}
	}()
}
