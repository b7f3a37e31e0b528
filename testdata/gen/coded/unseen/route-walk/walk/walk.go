// Package walk visits the stops of a route.
package walk

import "time"

// Each calls visit for each stop, at its time.
func Each(stops []string, visit func(stop string)) {
	for _, stop := range stops {
		time.Sleep(10 * time.Minute)
		visit(stop)
	}
}
