// Package basket keeps baskets in a store with a pool of connections.
package basket

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"example.com/services/kit"
	"example.net/lib/connpool"
)

var errEmpty = errors.New("empty basket")

type Baskets struct{ pool *connpool.Pool }

func (b *Baskets) Add(ctx context.Context, item string) error {
	c, err := b.pool.Get(ctx)
	if err != nil {
		return err
	}
	if item == "" {
		return errEmpty
	}
	err = c.Do("add " + item)
	b.pool.Put(c)
	return err
}

func Main() {
	kit.Start()
	b := &Baskets{connpool.New(5)}
	url := kit.API(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, b.Add(context.Background(), r.URL.Query().Get("item")))
	}))
	kit.Ask(20, 20*time.Millisecond, url+"?item=tea")
	kit.Ask(6, 20*time.Millisecond, url)
	kit.Ask(40, 50*time.Millisecond, url+"?item=tea")
	kit.Wait()
}
