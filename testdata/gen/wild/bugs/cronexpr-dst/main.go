// Command cronexpr-dst finds out how often a job should have run while the scheduler was down.
//
// https://github.com/gorhill/cronexpr/issues/23
package main

import (
	"log"
	"time"
	_ "time/tzdata" // the zone of the customer

	"wild/kit"
)

func main() {
	kit.Serve()
	zone, err := time.LoadLocation("America/Los_Angeles")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		for day := 11; day < 14; day++ {
			from := time.Date(2016, time.March, day, 2, 3, 0, 0, zone)
			log.Print(missed("2 2 * * *", from, from.Add(30*time.Hour)))
		}
	}()
	for range time.Tick(time.Minute) {
		log.Print("alive")
	}
}
