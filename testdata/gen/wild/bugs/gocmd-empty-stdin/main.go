// Command gocmd-empty-stdin gives commands to a program that ends soon.
//
// https://github.com/go-cmd/cmd/issues/56
package main

import (
	"log"
	"time"

	"github.com/go-cmd/cmd"

	"wild/kit"
)

func main() {
	kit.Serve()
	for {
		status := execute()
		log.Print("exit ", status.Exit)
		time.Sleep(time.Second)
	}
}

// execute runs the program.
func execute() cmd.Status {
	c := cmd.NewCmd("sleep", "1")
	return <-c.StartWithStdin(new(orders))
}
