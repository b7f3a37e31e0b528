// Feed-import reads feeds side by side.
package main

import (
	"errors"
	"log"
	"sync"
	"time"

	"coded/kit"
)

func main() {
	kit.Serve()
	go func() {
		for {
			importAll([]string{"news", "sports", ""})
			time.Sleep(time.Minute)
		}
	}()
	kit.Wait()
}

// importAll returns when all feeds are read.
func importAll(feeds []string) {
	var wg sync.WaitGroup
	for _, feed := range feeds {
		wg.Add(1)
		go func(feed string) {
			items, err := read(feed)
			if err != nil {
				log.Print(err)
				return
			}
			log.Print(feed, items)
			wg.Done()
		}(feed)
	}
	wg.Wait()
}

func read(feed string) (int, error) {
	if feed == "" {
		return 0, errors.New("a feed without a name")
	}
	return len(feed), nil
}
