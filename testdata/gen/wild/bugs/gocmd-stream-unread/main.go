// Command gocmd-stream-unread makes a list of files now and then.
//
// https://github.com/go-cmd/cmd/issues/11
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
		status := list()
		log.Print("exit ", status.Exit)
		time.Sleep(time.Second)
	}
}

// list runs the command and waits for its end.
func list() cmd.Status {
	c := cmd.NewCmdOptions(cmd.Options{Streaming: true}, "seq", "1", "5000")
	read(c)
	return <-c.Start()
}
