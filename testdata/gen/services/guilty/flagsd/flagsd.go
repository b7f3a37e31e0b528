// Package flagsd evaluates flags and notes what was asked, if notes are wanted.
package flagsd

import (
	"net/http"
	"time"

	"example.com/services/kit"
)

type Flags struct {
	notes chan string
	on    map[string]bool
}

func Open(notes bool) *Flags {
	f := &Flags{on: map[string]bool{}}
	if notes {
		f.notes = make(chan string, 10)
		go f.write()
	}
	return f
}

func (f *Flags) write() {
	for range f.notes {
	}
}

func (f *Flags) Enabled(name string) bool {
	f.notes <- name
	return f.on[name]
}

func Main() {
	kit.Start()
	f := Open(false)
	url := kit.API(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { f.Enabled(r.URL.Path) }))
	kit.Ask(11, 200*time.Millisecond, url)
	kit.Wait()
}
