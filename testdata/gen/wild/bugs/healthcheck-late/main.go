// Command healthcheck-late tells whether its database is well.
//
// https://github.com/etherlabsio/healthcheck/issues/28
package main

import (
	"context"
	"log"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/etherlabsio/healthcheck/v2"

	"wild/kit"
)

func main() {
	kit.Serve()
	handler := healthcheck.Handler(
		healthcheck.WithTimeout(patience), healthcheck.WithChecker("database", healthcheck.CheckerFunc(ping)))
	for range time.Tick(400 * time.Millisecond) {
		ready(handler)
	}
}

// ready asks for the health.
func ready(handler http.Handler) {
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/health", nil))
	if w.Code != http.StatusOK {
		log.Print(w.Code)
	}
}

// ping asks the database, which takes a tenth of a second.
func ping(context.Context) error {
	time.Sleep(100 * time.Millisecond)
	return nil
}
