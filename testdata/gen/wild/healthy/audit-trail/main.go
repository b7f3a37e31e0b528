// Command audit-trail writes an audit trail to write-once media, which are changed every seven minutes: until then the
// departments wait with their next record.
package main

import (
	"log"
	"time"

	"wild/kit"
)

type record struct {
	department string
	number     int
}

type trail struct{ records chan record }

// write stores what is offered whenever a medium is ready.
func (t *trail) write() {
	media := time.NewTicker(7 * time.Minute)
	defer media.Stop()
	for n := 0; ; n++ {
		<-media.C
		stored := 0
		for full := false; !full; {
			select {
			case <-t.records:
				stored++
				full = stored == 500
			case <-time.After(time.Second):
				full = true
			}
		}
		log.Printf("medium %d: %d records", n, stored)
	}
}

// Record returns when a record is on a medium.
func (t *trail) Record(r record) {
	t.records <- r
}

func main() {
	kit.Serve()
	t := &trail{records: make(chan record)}
	for _, d := range []string{"sales", "legal", "claims", "hr", "it", "tax", "board", "audit", "fleet", "depot", "press", "travel"} {
		d := d
		go func() {
			for n := 0; ; n++ {
				t.Record(record{d, n})
				time.Sleep(100 * time.Millisecond)
			}
		}()
	}
	t.write()
}
