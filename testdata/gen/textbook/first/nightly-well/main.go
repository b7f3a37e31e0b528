// Command nightly hands nightly jobs to workers that take one after the other; main waits until one is free.
package main

import (
	"fmt"
	"time"

	"example.com/textbook/kit"
)

func worker(n int, jobs <-chan string) {
	for job := range jobs {
		run(n, job)
	}
}

func run(n int, job string) {
	time.Sleep(600 * time.Millisecond)
	fmt.Println(n, job)
}

func main() {
	kit.Start()
	jobs := make(chan string)
	for n := range 3 {
		go worker(n, jobs)
	}
	for {
		for _, job := range []string{"backup", "rotate", "vacuum", "index"} {
			jobs <- job
		}
	}
}
