// Package pings announces pages to search engines.
package pings

import (
	"errors"
	"log"
	"sync"
	"time"

	"example.com/services/kit"
)

type Index struct {
	wg    sync.WaitGroup
	slow  bool
	pages int
}

func (x *Index) ping(engine int) {
	if err := x.post(engine); err != nil {
		log.Println("ping:", err)
		return
	}
	x.wg.Done()
}

func (x *Index) post(engine int) error {
	if x.slow {
		time.Sleep(3 * time.Minute)
		return nil
	}
	return errors.New("refused")
}

// Announce announces all pages.
func (x *Index) Announce(engines int) {
	for e := range engines {
		x.wg.Add(1)
		go x.ping(e)
	}
	x.wg.Wait()
}

func Main(fixed bool) {
	kit.Start()
	for range 3 {
		x := &Index{slow: fixed}
		go x.Announce(4)
	}
	kit.Wait()
}
