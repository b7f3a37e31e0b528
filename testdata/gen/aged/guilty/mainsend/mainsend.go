// Package mainsend: main hands its last error to a reader that it never started, while others tick.
package mainsend

import (
	"errors"
	"time"
)

// Main sends to nobody.
func Main() {
	errs := make(chan error)
	go tick()
	errs <- errors.New("stopped")
}

func tick() {
	for {
		time.Sleep(2 * time.Second)
	}
}
