// Package quota counts what tenants use.
package quota

import (
	"errors"
	"net/http"
	"sync"
	"time"

	"example.com/services/kit"
)

var errUnknown = errors.New("unknown tenant")

type Table struct {
	mu   sync.Mutex
	used map[string]int
}

func (t *Table) Charge(tenant string, n int) error {
	t.mu.Lock()
	if _, ok := t.used[tenant]; !ok {
		return errUnknown
	}
	t.used[tenant] += n
	t.mu.Unlock()
	return nil
}

func (t *Table) Reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for tenant := range t.used {
		t.used[tenant] = 0
	}
}

func Main() {
	kit.Start()
	t := &Table{used: map[string]int{"a": 0, "b": 0}}
	go func() {
		for range time.Tick(2 * time.Second) {
			t.Reset()
		}
	}()
	url := kit.API(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := t.Charge(r.URL.Query().Get("tenant"), 1); err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
		}
	}))
	kit.Ask(40, 50*time.Millisecond, url+"?tenant=a")
	kit.Get(url + "?tenant=zz")
	kit.Ask(35, 50*time.Millisecond, url+"?tenant=b")
	kit.Wait()
}
