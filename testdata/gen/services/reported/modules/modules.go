// Package modules checks the digests of modules, once for each.
package modules

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"example.com/services/kit"
)

type Module struct {
	path   string
	check  func() (string, error)
	nested bool
}

func NewModule(path string, nested bool) *Module {
	m := &Module{path: path, nested: nested}
	m.check = sync.OnceValues(m.digest)
	return m
}

func (m *Module) digest() (string, error) {
	if m.nested {
		return m.Files()
	}
	time.Sleep(10 * time.Minute) // the archive is large
	return m.path, nil
}

func (m *Module) Files() (string, error) {
	sum, err := m.check()
	return "files of " + sum, err
}

func Main(fixed bool) {
	kit.Start()
	m := NewModule("example.org/a", !fixed)
	url := kit.API(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, m.path) }))
	for range 6 {
		go m.Files()
	}
	kit.Ask(9000, time.Second, url)
}
