// Scan-slots lets three scans run at a time.
package main

import (
	"errors"
	"log"
	"time"

	"coded/kit"
)

func main() {
	kit.Serve()
	night(30)
	kit.Wait()
}

// night scans some hosts.
func night(hosts int) {
	slots := make(chan struct{}, 3)
	for n := 0; n < hosts; n++ {
		go func(n int) {
			slots <- struct{}{}
			if err := scan(n); err != nil {
				log.Print(err)
				return
			}
			<-slots
		}(n)
	}
}

func scan(host int) error {
	time.Sleep(100 * time.Millisecond)
	if host%4 == 1 {
		return errors.New("no route")
	}
	return nil
}
