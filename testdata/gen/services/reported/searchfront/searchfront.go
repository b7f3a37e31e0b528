// Package searchfront asks hosts of a search engine.
package searchfront

import (
	"net/http"
	"time"

	"example.com/services/kit"
	"example.net/lib/connset"
)

type front struct {
	set   *connset.Set
	conns []*connset.Conn
}

func (f *front) query(w http.ResponseWriter, r *http.Request) {
	c := f.conns[len(r.URL.RawQuery)%len(f.conns)]
	f.set.Failed(c)
	time.Sleep(time.Millisecond)
	c.Succeeded()
}

func Main(fixed bool) {
	kit.Start()
	f := &front{set: &connset.Set{Ordered: fixed}}
	for range 2 {
		f.conns = append(f.conns, f.set.Add())
	}
	url := kit.API(http.HandlerFunc(f.query))
	go kit.Ask(9000, 300*time.Millisecond, url+"?a")
	kit.Ask(9000, 300*time.Millisecond, url+"?ab")
	kit.Wait()
}
