// A radar starts a goroutine for each echo. stop closes the channel of blips while echoes are still on their way, and the
// next echo sends on the closed channel.
package main

import (
	"fmt"
	"time"

	"example.com/textbook/kit"
)

type blip struct{ km float64 }

type radar struct {
	blips chan blip
	seen  int
}

func (r *radar) echo(after time.Duration, out chan<- blip) {
	time.Sleep(after)
	out <- blip{after.Seconds() * 150_000}
}

func (r *radar) stop() { close(r.blips) }

func (r *radar) turn(pings int) {
	r.blips = make(chan blip)
	for n := range pings {
		go r.echo(time.Duration(n)*20*time.Millisecond, r.blips)
	}
	time.AfterFunc(400*time.Millisecond, r.stop)
	for b := range r.blips {
		if b.km > 0 {
			r.seen++
		}
	}
}

func main() {
	kit.Start()
	var r radar
	for pings := 14; ; pings += 4 {
		r.turn(pings)
		fmt.Println(r.seen, "blips")
	}
}
