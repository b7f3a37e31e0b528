// Package snapshot exports a table row by row.
package snapshot

import (
	"net/http"
	"sync"
	"time"

	"example.com/services/kit"
)

type Table struct {
	mu   sync.RWMutex
	rows map[int]int
}

// Each passes on all rows.
func (t *Table) Each(out chan<- int) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for _, r := range t.rows {
		out <- r
	}
	close(out)
}

func (t *Table) Get(k int) int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.rows[k]
}

func (t *Table) Set(k, v int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.rows[k] = v
}

func (t *Table) top(n int) (rows []int) {
	out := make(chan int)
	go t.Each(out)
	for r := range out {
		if rows = append(rows, r); len(rows) == n {
			break
		}
	}
	return rows
}

func Main() {
	kit.Start()
	t := &Table{rows: map[int]int{}}
	for i := range 20 {
		t.Set(i, i)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/get", func(http.ResponseWriter, *http.Request) { t.Get(1) })
	mux.HandleFunc("/set", func(http.ResponseWriter, *http.Request) { t.Set(1, 2) })
	mux.HandleFunc("/top", func(http.ResponseWriter, *http.Request) { t.top(3) })
	url := kit.API(mux)
	kit.Ask(10, 50*time.Millisecond, url+"/get")
	kit.Get(url + "/top")
	kit.Ask(3, 50*time.Millisecond, url+"/set")
	kit.Ask(22, 50*time.Millisecond, url+"/get")
	kit.Wait()
}
