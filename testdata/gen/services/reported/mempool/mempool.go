// Package mempool checks transactions with an application.
package mempool

import (
	"log"
	"net/http"
	"time"

	"example.com/services/kit"
	"example.net/lib/abci"
)

type pool struct{ app *abci.Client }

func (p *pool) checked(n int) {
	time.Sleep(180 * time.Millisecond)
	if err := p.app.Err(); err != nil {
		log.Println(n, err)
	}
}

func (p *pool) submit(w http.ResponseWriter, r *http.Request) {
	if err := p.app.Check(1); err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
	}
}

func Main(fixed bool) {
	kit.Start()
	p := &pool{abci.New(fixed)}
	p.app.OnReply = p.checked
	gap := 2 * time.Second
	if fixed {
		gap = 200 * time.Millisecond
	}
	kit.Ask(9000, gap, kit.API(http.HandlerFunc(p.submit)))
	kit.Wait()
}
