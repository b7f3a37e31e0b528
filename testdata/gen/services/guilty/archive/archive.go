// Package archive locks folders by a lock file while it packs them.
package archive

import (
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"example.com/services/kit"
)

type Archive struct {
	path  string
	ready chan struct{}
}

func (a *Archive) lock() (*os.File, error) {
	f, err := os.OpenFile(a.path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	return f, syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
}

func (a *Archive) Pack() error {
	f, err := a.lock()
	if err != nil {
		return err
	}
	defer f.Close()
	return a.verify()
}

func (a *Archive) verify() error {
	f, err := a.lock()
	if err != nil {
		return err
	}
	return f.Close()
}

func Main() {
	kit.Start()
	a := &Archive{path: filepath.Join(os.TempDir(), "archive.lock"), ready: make(chan struct{})}
	url := kit.API(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { a.Pack() }))
	kit.Ask(12, 200*time.Millisecond, url)
	kit.Wait()
}
