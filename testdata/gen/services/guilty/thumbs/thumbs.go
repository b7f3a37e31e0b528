// Package thumbs keeps small pictures; what the cache drops is counted.
package thumbs

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"example.com/services/kit"
	"example.net/lib/lru"
)

type store struct {
	pictures *lru.Cache[string, []byte]
	dropped  atomic.Int64
	fill     atomic.Int64
}

func newStore() *store {
	s := &store{}
	s.pictures = lru.New(32, s.drop)
	return s
}

func (s *store) drop(key string, data []byte) {
	s.dropped.Add(int64(len(data)))
	s.fill.Store(int64(s.pictures.Len()))
}

func (s *store) serve(w http.ResponseWriter, r *http.Request) {
	key := r.URL.Query().Get("id")
	if _, ok := s.pictures.Get(key); !ok {
		s.pictures.Add(key, make([]byte, 512))
	}
	fmt.Fprintln(w, key)
}

func Main() {
	kit.Start()
	s := newStore()
	url := kit.API(http.HandlerFunc(s.serve))
	for i := range 48 {
		go kit.Get(fmt.Sprintf("%s/?id=%d", url, i))
		time.Sleep(40 * time.Millisecond)
	}
	kit.Wait()
}
