// Package mill grinds.
package mill

// A Mill has stones that grind.
type Mill struct{ sacks chan int }

// New starts a mill with some stones.
func New(stones int) *Mill {
	m := &Mill{sacks: make(chan int, 2)}
	for n := 0; n < stones; n++ {
		go m.grind(n)
	}
	return m
}

// Sacks are what the mill has ground.
func (m *Mill) Sacks() <-chan int { return m.sacks }

func (m *Mill) grind(stone int) {
	for n := 0; ; n++ {
		m.sacks <- stone*1000 + n
	}
}
