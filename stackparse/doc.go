// Package stackparse turns the text of goroutine dumps into Dumps: distinct stacks with their goroutines.
//
// It reads what Go 1.2 to 1.27 print: the stacks of a signal, a panic or a fatal error, runtime.Stack and
// goroutine?debug=2, the counted stacks of goroutine?debug=1 and the reports of the race detector. The text may hold
// anything else: log lines before, between and inside dumps, several dumps, dumps without their head or tail.
//
// Parse reads plain text. A Parser reads the lines of one stream one by one, for callers that take the framing of a
// log off first; text of several streams needs a Parser for each. FromProfile takes the stacks of a binary profile.
//
// Begin reading at Parser.Line (parser.go). Of a goroutine's lines, headerLine opens it in a dump (boundary.go decides
// in which), a stackBuilder collects them, and dumpBuilder.endGoroutine puts it into the Bucket of its stack; the first
// goroutine of a stack goes through parsedStacks.parse. Parser.Goroutine, Framed and Escaped do all that in one pass
// where the goroutine's lines lie behind one another (inplace.go).
//
// Each goroutine costs one header and two hashes a frame; only the first goroutine of each distinct stack is taken
// apart, so a dump of 2,764 goroutines costs about 50 full parses. What is kept grows with the number of distinct
// stacks, plus one Goroutine (40 bytes) each. The input is untrusted: every table has a bound.
//
// # Stability
//
// The module is at major version 0: a minor release may change these names, and the changelog lists such changes.
package stackparse
