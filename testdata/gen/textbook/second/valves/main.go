// Fifty pumps stand in a ring of pipes with fifty valves. A pump closes the valve before it and then the one behind it,
// and when all start together each has one and wants the next.
package main

import (
	"fmt"
	"math/rand"
	"os"
	"sync"
	"time"

	"example.com/textbook/kit"
)

const pumps = 50

type pump struct {
	no     int
	valves *[pumps]sync.Mutex
}

func (p pump) cycle(stroke func()) {
	in, out := p.no, (p.no+1)%pumps
	p.valves[in].Lock()
	defer p.valves[in].Unlock()
	time.Sleep(5 * time.Millisecond)
	p.valves[out].Lock()
	defer p.valves[out].Unlock()
	stroke()
}

func main() {
	kit.Start()
	var (
		valves [pumps]sync.Mutex
		ends   sync.WaitGroup
		litres [pumps]int
	)
	for i := range pumps {
		ends.Add(1)
		go func() {
			defer ends.Done()
			for litres[i] < 1<<30 {
				pump{i, &valves}.cycle(func() { litres[i]++ })
				time.Sleep(time.Duration(rand.Intn(60)) * time.Millisecond)
			}
		}()
	}
	ends.Wait()
	fmt.Fprintln(os.Stderr, litres)
}
