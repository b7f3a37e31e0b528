// Package shelf puts cartons away, slowly.
package shelf

import "time"

// Put puts a carton away.
func Put(carton int) {
	time.Sleep(time.Duration(carton+10) * time.Minute)
}
