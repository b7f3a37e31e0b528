// Package reloader reads certificates again when they change.
package reloader

import (
	"log"
	"time"

	"example.com/services/kit"
	"example.net/lib/dirwatch"
)

type store struct{ watcher *dirwatch.Watcher }

func (s *store) watch() {
	if err := s.watcher.Start(50 * time.Millisecond); err != nil {
		log.Println("watch:", err)
	}
}

func (s *store) swap() {
	s.watcher.Close()
	log.Println("swapped")
}

func Main(fixed bool) {
	kit.Start()
	scan := func() error { time.Sleep(50 * time.Millisecond); return dirwatch.ErrGone }
	if fixed {
		scan = func() error { time.Sleep(5 * time.Minute); return nil }
	}
	s := &store{dirwatch.New(scan)}
	go s.watch()
	time.Sleep(time.Second)
	s.swap()
	kit.Wait()
}
