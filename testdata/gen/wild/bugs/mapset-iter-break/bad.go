//go:build !fixed

package main

import mapset "github.com/deckarep/golang-set"

// any returns one element of a set, whichever comes first; nil if there is none.
func any(s mapset.Set) (element interface{}) {
	for element = range s.Iter() {
		break
	}
	return element
}
