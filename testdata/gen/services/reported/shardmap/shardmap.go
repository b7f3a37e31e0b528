// Package shardmap answers which nodes have a key.
package shardmap

import (
	"fmt"
	"net/http"
	"time"

	"example.com/services/kit"
	"example.net/lib/ring"
)

type router struct{ ring *ring.Ring }

func (s *router) nodes(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintln(w, s.ring.Near(len(r.URL.RawQuery), 3))
}

func (s *router) follow() {
	for i := 0; ; i++ {
		s.ring.Join(fmt.Sprint("node", i))
		time.Sleep(3 * time.Millisecond)
	}
}

func Main(fixed bool) {
	kit.Start()
	s := &router{&ring.Ring{Flat: fixed}}
	go s.follow()
	kit.Ask(4000, 300*time.Millisecond, kit.API(http.HandlerFunc(s.nodes))+"/?key")
	kit.Wait()
}
