//go:build go1.26

// go.mod says 1.20 so that older releases build the program; without the next line a newer one would imitate 1.20's timers
// and TLS.
//
//go:debug default=go1.26
package main
