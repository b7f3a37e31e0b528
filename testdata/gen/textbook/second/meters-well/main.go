// Each meter is polled in a goroutine of its own. One of them can't read an answer now and then, logs that and goes on.
package main

import (
	"log"
	"strconv"
	"time"

	"example.com/textbook/kit"
)

type meter struct {
	name string
	line func() string
}

func (m *meter) poll(sum chan<- float64) {
	for range time.Tick(100 * time.Millisecond) {
		v, err := strconv.ParseFloat(m.line(), 64)
		if err != nil {
			log.Printf("meter %s: %v", m.name, err)
			continue
		}
		sum <- v
	}
}

func main() {
	kit.Start()
	log.SetFlags(log.LstdFlags | log.Lshortfile)
	sum := make(chan float64)
	start := time.Now()
	for _, name := range []string{"cellar", "roof", "garage"} {
		m := meter{name, func() string {
			if name == "roof" && time.Since(start)/(100*time.Millisecond)%200 == 10 {
				return "4.7kWh"
			}
			return "4.7"
		}}
		go m.poll(sum)
	}
	total := 0.0
	for v := range sum {
		if total += v; total > 1e9 {
			log.Print("a lot of power")
		}
	}
}
