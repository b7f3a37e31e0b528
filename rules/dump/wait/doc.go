// Package wait holds the rules about goroutines that wait (TR4xx): for each other, from the graph of package
// waitgraph; in a well-known call for longer, or in greater numbers, than it is made for; and from dump to dump of
// one process.
package wait
