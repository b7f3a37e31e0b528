// Package tiles renders a map in parts; errors are read when all parts are done.
package tiles

import (
	"errors"
	"net/http"
	"sync"
	"time"

	"example.com/services/kit"
)

type job struct {
	wg   sync.WaitGroup
	errs chan error
}

func (j *job) part(n int) {
	defer j.wg.Done()
	time.Sleep(time.Duration(n) * time.Millisecond)
	j.errs <- errors.New("no data")
}

func (j *job) log() {
	for range j.errs {
		time.Sleep(600 * time.Millisecond)
	}
}

func render(parts int, reader bool) int {
	j := &job{errs: make(chan error)}
	if reader {
		go j.log()
	}
	for n := range parts {
		j.wg.Add(1)
		go j.part(n)
	}
	j.wg.Wait()
	close(j.errs)
	failed := 0
	for range j.errs {
		failed++
	}
	return failed
}

func Main(fixed bool) {
	kit.Start()
	url := kit.API(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { render(5, fixed) }))
	if fixed {
		kit.Ask(9000, 700*time.Millisecond, url)
	}
	kit.Ask(2, time.Second, url)
	kit.Wait()
}
