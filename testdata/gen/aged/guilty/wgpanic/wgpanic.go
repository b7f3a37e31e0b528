// Package wgpanic: one of three workers of a request panics, which is recovered, and never calls Done.
package wgpanic

import (
	"fmt"
	"net/http"
	"sync"

	"aged/kit"
)

func handle(w http.ResponseWriter, r *http.Request) {
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Add(1)
		go func() {
			defer func() { recover() }()
			work(i)
			wg.Done()
		}()
	}
	wg.Wait()
	fmt.Fprintln(w, "ok")
}

func work(i int) {
	if i == 1 {
		panic("bad row")
	}
}

// Main serves five such requests.
func Main() {
	address := kit.API(http.HandlerFunc(handle))
	for range 5 {
		go kit.Hold(address, "/")
	}
	kit.Wait()
}
