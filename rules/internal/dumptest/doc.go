// Package dumptest parses and looks up goroutine dumps for tests of rules.
package dumptest
