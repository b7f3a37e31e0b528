// Command cors-header-commas answers the questions of browsers before they send requests.
//
// https://github.com/rs/cors/issues/170
package main

import (
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/rs/cors"

	"wild/kit"
)

var headers = strings.Repeat(",", 1<<20)

func main() {
	kit.Serve()
	handler := cors.New(cors.Options{AllowedHeaders: []string{"X-Token"}}).Handler(http.NotFoundHandler())
	for {
		if code := preflight(handler); code != http.StatusNoContent {
			log.Print(code)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// preflight asks one question.
func preflight(handler http.Handler) int {
	r := httptest.NewRequest(http.MethodOptions, "/orders", nil)
	r.Header.Set("Origin", "https://shop.example")
	r.Header.Set("Access-Control-Request-Method", "GET")
	r.Header.Set("Access-Control-Request-Headers", headers)
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	return w.Code
}
