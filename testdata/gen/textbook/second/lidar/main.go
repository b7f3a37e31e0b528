// Four lidars of a car send their sweeps to one reader. The reader returns at the first sweep that is torn, and the
// lidars wait to send.
package main

import (
	"fmt"
	"log"
	"math/rand"
	"time"

	"example.com/textbook/kit"
)

type sweep struct {
	corner string
	points []float32
}

type lidar struct {
	corner string
	rate   time.Duration
}

func (l *lidar) sweep(out chan<- sweep) {
	for {
		time.Sleep(l.rate)
		s := sweep{corner: l.corner, points: make([]float32, 64)}
		if rand.Intn(40) == 0 {
			s.points = s.points[:20]
		}
		out <- s
	}
}

func consume(in <-chan sweep) error {
	for s := range in {
		if len(s.points) != 64 {
			return fmt.Errorf("%s: torn sweep", s.corner)
		}
	}
	return nil
}

func main() {
	kit.Start()
	sweeps := make(chan sweep)
	go func() { log.Print(consume(sweeps)) }()
	for _, corner := range []string{"FL", "FR", "RL", "RR"} {
		go (&lidar{corner, 10 * time.Millisecond}).sweep(sweeps)
	}
	select {}
}
