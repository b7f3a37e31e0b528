package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

func main() {
	kit.Serve()
	sync1([]string{"a", "", "c"})
}

func sync1(pages []string) {
	var wg sync.WaitGroup
	for _, p := range pages {
		wg.Add(1)
		go func() { fetch(p, &wg) }()
	}
	wg.Wait()
}

func fetch(page string, wg *sync.WaitGroup) {
	switch {
	case page == "":
		log.Print("empty")
		return
	case page == "a":
		time.Sleep(time.Second)
	}
	wg.Done()
}
