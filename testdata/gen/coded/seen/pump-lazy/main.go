// Pump-lazy starts its worker when it is kicked for the first time.
package main

import (
	"coded/kit"
	"coded/seen/pump-lazy/pump"
	"time"
)

func fill(p *pump.Pump) {
	for n := 0; ; n++ {
		p.Fill(n)
	}
}

func main() {
	kit.Serve()
	p := &pump.Pump{}
	p.Init()
	go fill(p)
	go fill(p)
	time.Sleep(25 * time.Minute)
	p.Kick()
	kit.Wait()
}
