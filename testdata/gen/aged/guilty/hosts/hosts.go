// Package hosts: a program that rolls settings out to hosts, round by round.
package hosts

import (
	"fmt"
	"log"
	"time"

	"aged/guilty/hosts/rollout"
)

// Main is the program.
func Main() {
	r := rollout.New()
	go func() {
		for range time.Tick(10 * time.Second) {
			log.Printf("%d applied", r.Applied())
		}
	}()
	go probe(r)
	for round := 1; ; round++ {
		var hosts []rollout.Host
		for i := range 12 {
			hosts = append(hosts, rollout.Host{Name: fmt.Sprintf("h%d", i), Cordoned: round == 9 && i == 4})
		}
		if err := r.Apply(round, hosts); err != nil {
			log.Print(err)
		}
		log.Printf("round %d done", round)
		time.Sleep(3 * time.Second)
	}
}

func probe(r *rollout.Rollout) {
	for {
		time.Sleep(5 * time.Second)
		r.Probe("h1")
	}
}
