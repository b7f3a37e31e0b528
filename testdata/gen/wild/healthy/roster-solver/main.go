// Command roster-solver plans shifts by trying: it descends a level for each shift and comes back where a rule is broken.
// The search is deep and busy, and bounded.
package main

import (
	"log"

	"wild/kit"
)

const nurses, shifts = 9, 90

type roster struct {
	plan  [shifts]int
	load  [nurses]int
	tried int
}

// allowed asks the rules about one more shift.
func (r *roster) allowed(shift, nurse int) bool {
	for back := 1; back <= 3 && back <= shift; back++ {
		if r.plan[shift-back] == nurse {
			return false
		}
	}
	return r.load[nurse] < shifts/nurses+1
}

// assign plans a shift and all that follow.
func (r *roster) assign(shift, seed int) bool {
	r.tried++
	if shift == shifts || r.tried > 3_000_000 {
		return r.balanced()
	}
	for i := 0; i < nurses; i++ {
		nurse := (i*seed + shift) % nurses
		if !r.allowed(shift, nurse) {
			continue
		}
		r.plan[shift] = nurse
		r.load[nurse]++
		if r.assign(shift+1, seed) {
			return true
		}
		r.load[nurse]--
	}
	return false
}

// balanced is a rule that few plans satisfy.
func (r *roster) balanced() bool {
	sum := 0
	for i, nurse := range r.plan {
		sum += i * nurse
	}
	return sum%100_003 == 17
}

func main() {
	kit.Serve()
	for seed := 1; ; seed++ {
		r := &roster{}
		found := r.assign(0, seed%8+1)
		log.Printf("seed %d: found %t after %d steps", seed, found, r.tried)
	}
}
