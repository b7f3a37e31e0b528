// Package invoices answers what customers owe.
package invoices

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"example.com/services/guilty/invoices/repo"
	"example.com/services/kit"
	"example.com/services/kit/ledgerdb"
)

func Main() {
	kit.Start()
	r := &repo.Repo{DB: ledgerdb.Open(6, 5*time.Millisecond)}
	url := kit.API(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		sum, err := r.Total(context.Background(), 7)
		fmt.Fprintln(w, sum, err)
	}))
	kit.Ask(5, 400*time.Millisecond, url)
	kit.Ask(20, time.Millisecond, url)
	kit.Wait()
}
