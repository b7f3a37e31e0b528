//go:build fixed

package main

import (
	"errors"
	"time"
)

var names = map[string][]string{"0": {"Ann"}, "1": {"Bob"}, "2": {"Eve"}}

// load reads a profile.
func load(id string) (interface{}, error) {
	time.Sleep(20 * time.Millisecond)
	if len(names[id]) == 0 {
		return nil, errors.New("nobody")
	}
	return names[id][0], nil
}
