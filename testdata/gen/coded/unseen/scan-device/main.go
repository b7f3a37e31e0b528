// Scan-device scans pages by a program that belongs to the scanner.
package main

import (
	"log"
	"os/exec"
	"sync"
	"time"

	"coded/kit"
)

type guard struct{ sync.Mutex }

type device struct {
	guard
	pages int
}

type scanner struct {
	*device
	name string
}

// scan runs the scanner's program, which takes its time.
func (s *scanner) scan() {
	s.Lock()
	if err := exec.Command("sleep", "1200").Run(); err != nil {
		log.Print(s.name, err)
	}
	s.pages++
	s.Unlock()
}

func main() {
	kit.Serve()
	s := &scanner{&device{}, "desk"}
	for n := 0; n < 9; n++ {
		go func() {
			for {
				s.scan()
				time.Sleep(time.Minute)
			}
		}()
	}
	kit.Wait()
}
