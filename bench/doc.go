// Package bench measures how fast goroutine dumps become collapsed stacks, side by side with the other Go parsers of
// dumps, over the same bytes and in one run. README.md has the figures.
package bench
