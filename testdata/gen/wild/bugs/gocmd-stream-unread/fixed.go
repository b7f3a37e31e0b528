//go:build fixed

package main

import "github.com/go-cmd/cmd"

// read reads what the command prints.
func read(c *cmd.Cmd) {
	go func() {
		for range c.Stdout {
		}
	}()
}
