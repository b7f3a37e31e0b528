// Package lineclient: a program that asks a tracker where parcels are.
package lineclient

import (
	"fmt"
	"log"
	"os"
	"time"

	"aged/guilty/lineclient/rpc"
	"aged/guilty/lineclient/tracker"
)

// Main is the program.
func Main() {
	addr, err := tracker.Serve()
	if err != nil {
		log.Fatal(err)
	}
	c, err := rpc.Dial(addr)
	if err != nil {
		log.Fatal(err)
	}
	for route := range 5 {
		go poll(c, route)
	}
	for range time.Tick(15 * time.Second) {
		fmt.Fprintf(os.Stderr, "%d answers\n", c.Answers())
	}
}

func poll(c *rpc.Client, route int) {
	for n := 0; ; n++ {
		if _, err := c.Call(fmt.Sprintf("parcel-%d-%d", route, n)); err != nil {
			log.Print(err)
		}
		time.Sleep(time.Second)
	}
}
