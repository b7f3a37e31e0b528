// A build server calls the hooks of its forty projects after each build. All share one client, whose transport keeps up
// to fifty connections for the next time.
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
	url    string
	client *http.Client
}

func (h *hook) fire(b build) error {

	body := fmt.Sprintf(`{"build": %d, "ok": %t}`, b.id, b.ok)
	res, err := h.client.Post(h.url, "application/json", strings.NewReader(body))
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
		time.Sleep(50 * time.Millisecond)
		io.WriteString(w, "ok")
	}))
	client := &http.Client{Timeout: 2 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 50}}
	h := hook{url: chat.URL, client: client}
	for id := 1; ; id++ {
		for range 40 {
			go func() {
				if err := h.fire(build{id: id, ok: id%7 != 0}); err != nil {
					log.Print(err)
				}
			}()
		}
		time.Sleep(2 * time.Second)
	}
}
