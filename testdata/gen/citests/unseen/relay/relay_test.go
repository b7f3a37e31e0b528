package relay_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"example.com/lab/unseen/relay"
)

func get(t testing.TB, url string) string {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, _ := io.ReadAll(res.Body)
	return string(b)
}

func TestRelay(t *testing.T) {
	h := &relay.Handler{Replies: make(chan string, 1), Ready: make(chan struct{})}
	h.Replies <- "hello"
	srv := httptest.NewServer(h)
	defer srv.Close()
	if got := get(t, srv.URL); got != "hello" {
		t.Error(got)
	}
}
