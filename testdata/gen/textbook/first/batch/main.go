// Command batch runs batches of jobs; the group expects one more than the batch has jobs, so that the first
// batch never ends.
package main

import (
	"fmt"
	"sync"
	"time"

	"example.com/textbook/kit"
)

func runBatch(jobs []string) {
	var group sync.WaitGroup
	group.Add(len(jobs) + 1)
	for _, job := range jobs {
		go func() {
			defer group.Done()
			process(job)
		}()
	}
	group.Wait()
	fmt.Println("batch of", len(jobs), "done")
}

func process(job string) {
	time.Sleep(time.Duration(len(job)) * 400 * time.Millisecond)
}

func main() {
	kit.Start()
	for {
		runBatch([]string{"pack", "weigh", "label", "seal"})
	}
}
