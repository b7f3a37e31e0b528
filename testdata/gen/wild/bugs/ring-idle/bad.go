//go:build !fixed

package main

import (
	"log"

	"github.com/Workiva/go-datastructures/queue"
)

func newLines() *queue.RingBuffer { return queue.NewRingBuffer(4096) }

// print prints the next line.
func print(lines *queue.RingBuffer) error {
	line, err := lines.Get()
	if err != nil {
		return err
	}
	log.Print(line)
	return nil
}
