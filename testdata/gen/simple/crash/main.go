// Command crash dies in the way that its argument names, or logs a panic that it survived and then stops.
package main

import (
	"fmt"
	"os"
	"time"

	"example.com/fixtures/ready"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: crash KIND")
		os.Exit(2)
	}
	if os.Args[1] != "deadlock" && os.Args[1] != "goexit" {
		// A timer would keep the runtime from seeing that all goroutines are asleep.
		ready.Limit(20 * time.Second)
	}
	for _, run := range []func(string) bool{memoryFault, channelFault, valueFault, repanic, fatal, logged} {
		if run(os.Args[1]) {
			return
		}
	}
	fmt.Fprintln(os.Stderr, "crash: no kind", os.Args[1])
	os.Exit(2)
}

// startIdle starts n goroutines that wait for work, so that a dump of all has some.
func startIdle(n int) {
	jobs := make(chan int)
	for i := 0; i < n; i++ {
		go idleWorker(jobs)
	}
	time.Sleep(20 * time.Millisecond)
}

func idleWorker(jobs <-chan int) {
	for range jobs {
	}
}
