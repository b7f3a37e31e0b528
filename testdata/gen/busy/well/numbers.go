package well

import (
	"crypto/sha256"
	"log"
	"math"
	"math/rand"
	"sync"

	"example.com/busy/kit"
)

type body struct{ x, y, vx, vy, m float64 }

// step moves all bodies.
func step(all []body, dt float64) {
	for i := range all {
		for k := range all {
			if i != k {
				dx, dy := all[k].x-all[i].x, all[k].y-all[i].y
				f := all[k].m / math.Pow(dx*dx+dy*dy+0.01, 1.5)
				all[i].vx, all[i].vy = all[i].vx+f*dx*dt, all[i].vy+f*dy*dt
			}
		}
	}
	for i := range all {
		all[i].x, all[i].y = all[i].x+all[i].vx*dt, all[i].y+all[i].vy*dt
	}
}

// orbitBatch computes in main itself, as a batch does.
func orbitBatch() {
	kit.Start()
	all := make([]body, 60)
	for i := range all {
		all[i] = body{rand.Float64(), rand.Float64(), 0, 0, 1}
	}
	for n := 0; n < 10_000_000; n++ {
		step(all, 0.001)
	}
	log.Print(all[0].x)
}

// count looks for queens that do not see each other.
func count(n int, columns, left, right uint32) (found int) {
	full := uint32(1)<<n - 1
	if columns == full {
		return 1
	}
	for free := full &^ (columns | left | right); free != 0; {
		bit := free & -free
		free ^= bit
		found += count(n, columns|bit, (left|bit)<<1, (right|bit)>>1)
	}
	return found
}

func moveSearch() {
	kit.Start()
	done := make(chan int)
	go func() { done <- count(17, 0, 0, 0) }()
	log.Print(<-done)
	kit.Wait()
}

// cellSteps is a simulation on a board, its rows shared among workers.
func cellSteps() {
	kit.Start()
	const size = 400
	now, next := make([]uint8, size*size), make([]uint8, size*size)
	for i := range now {
		now[i] = uint8(rand.Intn(2))
	}
	for {
		var wg sync.WaitGroup
		for k := range 4 {
			wg.Go(func() { evolve(now, next, size, k*size/4, (k+1)*size/4) })
		}
		wg.Wait()
		now, next = next, now
	}
}

// evolve computes rows of the next board.
func evolve(now, next []uint8, size, from, to int) {
	for y := max(from, 1); y < min(to, size-1); y++ {
		for x := 1; x < size-1; x++ {
			i := y*size + x
			n := now[i-1] + now[i+1] + now[i-size] + now[i+size] +
				now[i-size-1] + now[i-size+1] + now[i+size-1] + now[i+size+1]
			next[i] = 0
			if n == 3 || n == 2 && now[i] == 1 {
				next[i] = 1
			}
		}
	}
}

// A Chain proves that time has passed: each link is the hash of the one before.
type Chain struct{ last [32]byte }

// extend adds links.
func (c *Chain) extend(links int) {
	for range links {
		c.last = sha256.Sum256(c.last[:])
	}
}

func hashChain() {
	kit.Start()
	c := &Chain{}
	links := make(chan [32]byte)
	go func() {
		for {
			c.extend(100_000_000)
			links <- c.last
		}
	}()
	for l := range links {
		log.Printf("%x", l)
	}
}

// value estimates an option by simulation.
func value(paths int, seed uint64) float64 {
	x, sum := seed, 0.0
	for range paths {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		sum += float64(x%1000) / 1000
	}
	return sum / float64(paths)
}

// pathValue has one estimate made and those who wait for it.
func pathValue() {
	kit.Start()
	result := make(chan float64)
	go func() {
		for {
			result <- value(60_000_000_000, 88172645463325252)
		}
	}()
	for i := range 3 {
		go func() {
			for v := range result {
				log.Print(i, v)
			}
		}()
	}
	kit.Wait()
}
