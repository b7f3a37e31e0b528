// Mirror-check asks all mirrors of a file whether they have it.
package main

import (
	"errors"
	"fmt"
	"log"
	"time"

	"coded/kit"
)

func main() {
	kit.Serve()
	go func() {
		for n := 0; ; n++ {
			if err := check(n); err != nil {
				log.Print(err)
			}
			time.Sleep(3 * time.Second)
		}
	}()
	kit.Wait()
}

// check asks all mirrors at once and returns the first error.
func check(file int) error {
	results := make(chan error)
	for m := 0; m < 5; m++ {
		go func(m int) {
			results <- ask(file, m)
		}(m)
	}
	for m := 0; m < 5; m++ {
		if err := <-results; err != nil {
			return err
		}
	}
	return nil
}

func ask(file, mirror int) error {
	if mirror == 2 {
		return errors.New(fmt.Sprint("mirror 2 has no ", file))
	}
	return nil
}
