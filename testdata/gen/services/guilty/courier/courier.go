// Package courier tracks parcels: who waits for one parcel unsubscribes as soon as it has arrived.
package courier

import (
	"fmt"
	"net/http"
	"time"

	"example.com/services/kit"
	"example.net/lib/eventbus"
)

type tracker struct{ bus *eventbus.Bus }

func (t *tracker) once(parcel string, done func()) {
	var cancel func()
	cancel = t.bus.Subscribe(parcel, func(string, any) {
		done()
		cancel()
	})
}

func (t *tracker) arrived(w http.ResponseWriter, r *http.Request) {
	t.bus.Publish(r.URL.Query().Get("id"), time.Now())
	fmt.Fprintln(w, "thanks")
}

func (t *tracker) watch(w http.ResponseWriter, r *http.Request) {
	t.once(r.URL.Query().Get("id"), func() {})
}

func Main() {
	kit.Start()
	t := &tracker{eventbus.New()}
	mux := http.NewServeMux()
	mux.HandleFunc("/arrived", t.arrived)
	mux.HandleFunc("/watch", t.watch)
	url := kit.API(mux)
	kit.Get(url + "/watch?id=7")
	kit.Ask(10, 10*time.Millisecond, url+"/arrived?id=8")
	kit.Ask(25, 60*time.Millisecond, url+"/arrived?id=7")
	kit.Wait()
}
