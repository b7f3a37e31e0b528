// Settings are loaded by a Once at the first get. load asks get for the folder of the file, which waits for the Once that
// is running it.
package main

import (
	"log"
	"path"
	"sync"
	"time"

	"example.com/textbook/kit"
)

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
	time.Sleep(100 * time.Millisecond) // the volume is mounted
	s.values = map[string]string{"folder": "/etc/app", "name": "app.conf"}
	s.files = append(s.files, path.Join(s.get("folder"), s.values["name"]))
}

type screen struct {
	no int
	*settings
}

func (s screen) draw() {
	for range time.Tick(200 * time.Millisecond) {
		if s.get("theme") == "dark" && s.no == 0 {
			log.Print("it is night")
		}
	}
}

func main() {
	kit.Start()
	conf := new(settings)
	for n := range 3 {
		go screen{n, conf}.draw()
	}
	for {
		time.Sleep(time.Second)
		log.Print(conf.get("name"))
	}
}
