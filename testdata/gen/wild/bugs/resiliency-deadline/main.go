// Command resiliency-deadline asks a slow service and gives up soon.
//
// https://github.com/eapache/go-resiliency/issues/23
package main

import (
	"time"

	"github.com/eapache/go-resiliency/deadline"

	"wild/kit"
)

func main() {
	kit.Serve()
	limit := deadline.New(20 * time.Millisecond)
	for range time.Tick(200 * time.Millisecond) {
		ask(limit)
	}
}

// ask asks the service.
func ask(limit *deadline.Deadline) error {
	return limit.Run(func(<-chan struct{}) error {
		time.Sleep(50 * time.Millisecond)
		return nil
	})
}
