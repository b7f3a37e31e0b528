// Package parcels tracks parcels: who waits for one unsubscribes beside the event, not within it.
package parcels

import (
	"fmt"
	"net/http"
	"time"

	"example.com/services/kit"
	"example.net/lib/eventbus"
)

type tracker struct{ bus *eventbus.Bus }

func (t *tracker) once(parcel string) {
	var cancel func()
	cancel = t.bus.Subscribe(parcel, func(string, any) { go cancel() })
}

func (t *tracker) arrived(w http.ResponseWriter, r *http.Request) {
	id := r.URL.Query().Get("id")
	t.once(id)
	t.bus.Publish(id, time.Now())
	fmt.Fprintln(w, "thanks")
}

func Main() {
	kit.Start()
	t := &tracker{eventbus.New()}
	url := kit.API(http.HandlerFunc(t.arrived))
	kit.Ask(100000, 40*time.Millisecond, url+"?id=7")
}
