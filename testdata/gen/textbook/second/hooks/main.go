// A build server calls a hook after each build. fire makes a client with a http.Transport of its own, and the transport
// keeps its connection open, with nobody to use it again.
package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"example.com/textbook/kit"
)

type build struct {
	id int
	ok bool
}

type hook struct {
	url     string
	timeout time.Duration
}

func (h *hook) fire(b build) error {
	client := &http.Client{Timeout: h.timeout, Transport: &http.Transport{MaxIdleConns: 5}}
	body := fmt.Sprintf(`{"build": %d, "ok": %t}`, b.id, b.ok)
	res, err := client.Post(h.url, "application/json", strings.NewReader(body))
	if err != nil {
		return fmt.Errorf("build %d: %w", b.id, err)
	}
	defer res.Body.Close()
	_, err = io.Copy(io.Discard, res.Body)
	return err
}

func main() {
	kit.Start()
	chat := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		io.WriteString(w, "ok")
	}))
	h := hook{url: chat.URL, timeout: 2 * time.Second}
	for id := 1; ; id++ {
		if err := h.fire(build{id: id, ok: id%7 != 0}); err != nil {
			log.Print(err)
		}
		time.Sleep(150 * time.Millisecond)
	}
}
