// Settings are loaded by a Once at the first get, which takes three seconds, and anew every six seconds. Everybody waits
// for the Once meanwhile.
package main

import (
	"log"
	"path"
	"sync"
	"sync/atomic"
	"time"

	"example.com/textbook/kit"
)

var current atomic.Pointer[settings]

type settings struct {
	load   sync.Once
	values map[string]string
	files  []string
}

func (s *settings) get(key string) string {
	s.load.Do(s.read)
	return s.values[key]
}

func (s *settings) read() {
	time.Sleep(3 * time.Second) // the volume is mounted
	s.values = map[string]string{"folder": "/etc/app", "name": "app.conf"}
	s.files = append(s.files, path.Join(s.values["folder"], s.values["name"]))
}

type screen struct{ no int }

func (s screen) draw() {
	for range time.Tick(200 * time.Millisecond) {
		if current.Load().get("theme") == "dark" && s.no == 0 {
			log.Print("it is night")
		}
	}
}

func main() {
	kit.Start()
	current.Store(new(settings))
	for n := range 3 {
		go screen{n}.draw()
	}
	for {
		time.Sleep(6 * time.Second)
		log.Print(current.Load().get("name"))
		current.Store(new(settings))
	}
}
