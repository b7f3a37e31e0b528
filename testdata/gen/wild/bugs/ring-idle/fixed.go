//go:build fixed

package main

import (
	"log"

	"github.com/Workiva/go-datastructures/queue"
)

func newLines() *queue.Queue { return queue.New(4096) }

// print prints the next line.
func print(lines *queue.Queue) error {
	line, err := lines.Get(1)
	if err != nil {
		return err
	}
	log.Print(line...)
	return nil
}
