package main

import (
	"log"
	"time"

	"coded/kit"
)

const work = 205 * time.Second

func main() {
	kit.Serve()
	log.Print(add())
}

func add() int {
	a, b := make(chan int), make(chan int)
	go func() { a <- 1 }()
	time.AfterFunc(work, func() { b <- 2 })
	return <-a + <-b
}
