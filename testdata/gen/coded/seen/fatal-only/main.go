package main

import (
	"coded/kit"
	"log"
	"os"
	"time"
)

type app struct {
	errs chan error
	n    int
}

func (a *app) tick() {
	for range time.Tick(time.Second) {
		a.n++
	}
}
func (a *app) migrate() {
	if err := os.MkdirAll(os.TempDir(), 0o700); err != nil {
		a.errs <- err
	}
}
func main() {
	kit.Serve()
	a := &app{errs: make(chan error)}
	go a.migrate()
	go a.tick()
	log.Fatal(<-a.errs)
}
