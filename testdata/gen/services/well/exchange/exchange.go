// Package exchange fetches rates once for all who ask.
package exchange

import (
	"net/http"
	"time"

	"example.com/services/kit"
	"example.net/lib/flight"
)

type Rates struct{ group flight.Group }

func (r *Rates) fetch() any {
	time.Sleep(3 * time.Second)
	return 1.1
}

func (r *Rates) serve(http.ResponseWriter, *http.Request) { r.group.Do("eur", r.fetch) }

func Main() {
	kit.Start()
	r := &Rates{}
	url := kit.API(http.HandlerFunc(r.serve))
	kit.Ask(100000, 60*time.Millisecond, url)
}
