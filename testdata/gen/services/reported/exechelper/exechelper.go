// Package exechelper measures containers with helpers that must answer in time.
package exechelper

import (
	"errors"
	"time"

	"example.com/services/kit"
)

func measure() error {
	time.Sleep(150 * time.Millisecond)
	return nil
}

// first returns what the helper says, or an error when it is late.
func first() error {
	done := make(chan error)
	go func() { done <- measure() }()
	select {
	case err := <-done:
		return err
	case <-time.After(50 * time.Millisecond):
		return errors.New("late")
	}
}

// all asks seven helpers and looks at their answers later.
func all() {
	var answers []chan error
	for range 7 {
		done := make(chan error)
		answers = append(answers, done)
		go func() { done <- measure() }()
	}
	for _, done := range answers {
		time.Sleep(15 * time.Second)
		<-done
	}
}

func Main(fixed bool) {
	kit.Start()
	if fixed {
		for {
			all()
		}
	}
	for range 7 {
		first()
		time.Sleep(8 * time.Second)
	}
	kit.Wait()
}
