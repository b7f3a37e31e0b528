// Package geocode finds places; who asks waits for no longer than a moment.
package geocode

import (
	"errors"
	"net/http"
	"time"

	"example.com/services/kit"
)

type Provider struct{ slow time.Duration }

func (p *Provider) call(address string) string {
	time.Sleep(p.slow)
	return "52.5,13.4"
}

type Geocoder struct{ provider *Provider }

func (g *Geocoder) Locate(address string) (string, error) {
	found := make(chan string)
	go func() { found <- g.provider.call(address) }()
	select {
	case place := <-found:
		return place, nil
	case <-time.After(20 * time.Millisecond):
		return "", errors.New("too slow")
	}
}

func Main() {
	kit.Start()
	g := &Geocoder{&Provider{60 * time.Millisecond}}
	url := kit.API(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { g.Locate(r.URL.Path) }))
	kit.Ask(18, 50*time.Millisecond, url)
	kit.Ask(3, 30*time.Second, url)
	kit.Wait()
}
