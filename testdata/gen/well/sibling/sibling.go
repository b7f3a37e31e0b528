// Package sibling moves the other end of a program's connections into a second process, so that a dump holds what the dump of
// a server holds.
package sibling

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// Start starts this program again with other arguments, and returns when it works. It ends when the io.Closer is closed,
// or with this process.
func Start(args ...string) (io.Closer, error) {
	cmd := exec.Command(os.Args[0], args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("making a pipe: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("making a pipe: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the sibling: %w", err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		return nil, fmt.Errorf("waiting for the sibling: %w", err)
	}
	return in, nil
}

// Work tells that this process works, and returns when the one that started it has ended.
func Work() {
	fmt.Println("at work")
	io.Copy(io.Discard, os.Stdin)
}
