// Package ledgerdb reads and writes accounts of a database with shards.
package ledgerdb

import (
	"net/http"
	"time"

	"example.com/services/kit"
	"example.net/lib/cqlpool"
)

type session struct{ pool *cqlpool.Pool }

func (s *session) fill(shard int) {
	for n := 0; ; n++ {
		s.pool.Put(shard, s.pool.NewConn(n > 5))
		time.Sleep(10 * time.Millisecond)
	}
}

func (s *session) query(w http.ResponseWriter, _ *http.Request) {
	if s.pool.Pick(1) == nil {
		w.WriteHeader(http.StatusServiceUnavailable)
	}
}

func Main(fixed bool) {
	kit.Start()
	s := &session{&cqlpool.Pool{Apart: fixed}}
	for shard := range 2 {
		go s.fill(shard)
	}
	kit.Ask(9000, 700*time.Millisecond, kit.API(http.HandlerFunc(s.query)))
}
