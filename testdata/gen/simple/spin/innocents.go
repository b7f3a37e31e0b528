package main

import (
	"net"
	"os"
	"sync"
	"time"
)

// startInnocents starts forty goroutines that are where they should be: 20 workers without work, 8 that wait on a
// condition variable, 6 in a select, 4 asleep, 1 that waits for a lock, 1 that accepts connections.
func startInnocents() {
	jobs := make(chan int)
	for i := 0; i < 20; i++ {
		go worker(jobs)
	}
	var mu sync.Mutex
	filled := sync.NewCond(&mu)
	for i := 0; i < 8; i++ {
		go awaitFilled(filled)
	}
	stop := make(chan bool)
	for i := 0; i < 6; i++ {
		go serveJobs(jobs, stop)
	}
	for i := 0; i < 4; i++ {
		go sleepy()
	}
	held := new(sync.Mutex)
	held.Lock()
	go lockOnce(held)
	go accept()
}

func worker(jobs <-chan int) {
	for range jobs {
	}
}

func awaitFilled(c *sync.Cond) {
	c.L.Lock()
	defer c.L.Unlock()
	c.Wait()
}

func serveJobs(jobs <-chan int, stop <-chan bool) {
	for {
		select {
		case <-jobs:
		case <-stop:
			return
		}
	}
}

func sleepy() { time.Sleep(time.Hour) }

func lockOnce(mu *sync.Mutex) {
	mu.Lock()
	defer mu.Unlock()
}

func accept() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		os.Exit(1)
	}
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		conn.Close()
	}
}
