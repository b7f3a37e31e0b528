//go:build fixed

package main

import mapset "github.com/deckarep/golang-set"

// any returns one element of a set, whichever comes first; nil if there is none. Only an iterator can be stopped.
func any(s mapset.Set) (element interface{}) {
	it := s.Iterator()
	for element = range it.C {
		it.Stop()
		break
	}
	return element
}
