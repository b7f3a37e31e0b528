// Command frame-loop runs a game's world: sixty times a second it moves all bodies, then it sleeps until the next frame.
package main

import (
	"math"
	"time"

	"wild/kit"
)

const (
	bodies = 700
	frame  = time.Second / 60
)

type body struct{ x, y, vx, vy float64 }

// step moves the world by a part of a second.
func step(world []body, dt float64) {
	for i := range world {
		b := &world[i]
		ax, ay := 0.0, 0.0
		for k := range world {
			dx, dy := world[k].x-b.x, world[k].y-b.y
			d := dx*dx + dy*dy + 1
			pull := 1 / (d * math.Sqrt(d))
			ax += dx * pull
			ay += dy * pull
		}
		b.vx += ax * dt
		b.vy += ay * dt
	}
	for i := range world {
		world[i].x += world[i].vx * dt
		world[i].y += world[i].vy * dt
	}
}

func main() {
	kit.Serve()
	world := make([]body, bodies)
	for i := range world {
		world[i] = body{x: float64(i%31) * 40, y: float64(i/31) * 40}
	}
	for next := time.Now(); ; next = next.Add(frame) {
		step(world, frame.Seconds())
		time.Sleep(time.Until(next))
	}
}
