// Package board: requests wait for the next message; who posts one wakes them.
package board

import (
	"fmt"
	"net/http"
	"sync"

	"aged/kit"
)

type board struct {
	mu   sync.Mutex
	news *sync.Cond
	list []string
}

func (b *board) post(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.list = append(b.list, text)
	b.news.Broadcast()
}

// next waits until there are more than n.
func (b *board) next(n int) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.list) <= n {
		b.news.Wait()
	}
	return b.list[n]
}

func (b *board) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost {
		b.post(r.URL.Path)
		return
	}
	fmt.Fprintln(w, b.next(0))
}

// Main runs it.
func Main() {
	b := &board{}
	b.news = sync.NewCond(&b.mu)
	address := kit.API(b)
	for range 6 {
		go kit.Hold(address, "/next")
	}
	kit.Wait()
}
