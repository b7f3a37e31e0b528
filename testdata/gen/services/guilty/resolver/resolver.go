// Package resolver resolves names that may be aliases of other names, each once for all who ask.
package resolver

import (
	"net/http"
	"time"

	"example.com/services/kit"
	"example.net/lib/flight"
)

type Zone struct {
	aliases map[string]string
	group   flight.Group
}

func (z *Zone) Lookup(name string) any {
	return z.group.Do(name, func() any { return z.follow(name) })
}

func (z *Zone) follow(name string) any {
	time.Sleep(10 * time.Millisecond)
	if to, ok := z.aliases[name]; ok {
		return z.Lookup(to)
	}
	return name
}

func Main() {
	kit.Start()
	z := &Zone{aliases: map[string]string{"www": "web", "web": "edge", "edge": "web"}}
	url := kit.API(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		z.Lookup(r.URL.Query().Get("name"))
	}))
	kit.Ask(20, 20*time.Millisecond, url+"?name=mail")
	kit.Ask(14, 50*time.Millisecond, url+"?name=www")
	kit.Wait()
}
