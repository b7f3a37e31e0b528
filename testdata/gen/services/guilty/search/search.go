// Package search asks several indexes and fails with the first of them.
package search

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"example.com/services/kit"
)

type hit struct {
	doc int
	err error
}

type Index struct{ shards int }

func (x *Index) query(shard int, out chan<- hit) {
	time.Sleep(time.Duration(shard) * time.Millisecond)
	if shard == 2 {
		out <- hit{err: errors.New("shard 2 is down")}
		return
	}
	out <- hit{doc: shard}
}

func (x *Index) Find() (docs []int, err error) {
	out := make(chan hit)
	for s := range x.shards {
		go x.query(s, out)
	}
	for range x.shards {
		h := <-out
		if h.err != nil {
			return nil, h.err
		}
		docs = append(docs, h.doc)
	}
	return docs, nil
}

func Main() {
	kit.Start()
	x := &Index{6}
	url := kit.API(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		docs, err := x.Find()
		fmt.Fprintln(w, docs, err)
	}))
	kit.Ask(30, 40*time.Millisecond, url)
	kit.Ask(1000, 4*time.Second, url)
}
