// Package auction runs one actor for the lots and one for the bidders.
package auction

import (
	"net/http"
	"time"

	"example.com/services/kit"
	"example.net/lib/actor"
)

type House struct{ lots, bidders *actor.Ref }

func (h *House) lot(_ *actor.Ref, body any) any {
	time.Sleep(5 * time.Millisecond)
	if body == "bid" {
		return h.bidders.Ask("credit")
	}
	return 3
}

func (h *House) bidder(_ *actor.Ref, body any) any {
	time.Sleep(5 * time.Millisecond)
	if body == "leave" {
		return h.lots.Ask("open")
	}
	return 100
}

func Main() {
	kit.Start()
	h := &House{}
	h.lots = actor.Spawn(2, h.lot)
	h.bidders = actor.Spawn(2, h.bidder)
	mux := http.NewServeMux()
	mux.HandleFunc("/bid", func(http.ResponseWriter, *http.Request) { h.lots.Ask("bid") })
	mux.HandleFunc("/leave", func(http.ResponseWriter, *http.Request) { h.bidders.Ask("leave") })
	url := kit.API(mux)
	kit.Ask(10, 50*time.Millisecond, url+"/bid")
	for range 12 {
		go kit.Get(url + "/bid")
		go kit.Get(url + "/leave")
		time.Sleep(30 * time.Millisecond)
	}
	kit.Wait()
}
