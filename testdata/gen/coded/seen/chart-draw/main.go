// Chart-draw draws charts side by side and waits for all of them.
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
	draw([]string{"sales", "", "stock", "staff"})
	kit.Wait()
}

// draw returns when all charts are drawn or refused.
func draw(charts []string) {
	var wg sync.WaitGroup
	for _, chart := range charts {
		wg.Add(1)
		go func(chart string) {
			defer finish(&wg, chart)
			if err := one(chart); err != nil {
				return
			}
			log.Print(chart, " is drawn")
		}(chart)
	}
	wg.Wait()
}

func finish(wg *sync.WaitGroup, chart string) {
	log.Print(chart, " is over")
	wg.Done()
}

func one(chart string) error {
	if chart == "" {
		return errors.New("no name")
	}
	time.Sleep(time.Duration(len(chart)) * 6 * time.Minute)
	return nil
}
