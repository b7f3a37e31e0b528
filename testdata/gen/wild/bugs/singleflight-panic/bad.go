//go:build !fixed

package main

import "time"

var names = map[string][]string{"0": {"Ann"}, "1": {"Bob"}, "2": {"Eve"}}

// load reads a profile.
func load(id string) (interface{}, error) {
	time.Sleep(20 * time.Millisecond)
	return names[id][0], nil
}
