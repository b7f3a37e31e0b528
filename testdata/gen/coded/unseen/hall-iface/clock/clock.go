// Package clock strikes.
package clock

import "time"

// A Striker is told the hour.
type Striker interface{ Strike() }

// Run strikes once.
func Run(s Striker) {
	time.Sleep(20 * time.Minute)
	s.Strike()
}
