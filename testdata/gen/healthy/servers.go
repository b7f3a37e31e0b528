package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// listen serves a handler on 127.0.0.1 and returns the URL.
func listen(h http.HandlerFunc) (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("listening: %w", err)
	}
	go http.Serve(l, h)
	return "http://" + l.Addr().String(), nil
}

// newClient keeps n connections.
func newClient(n int) *http.Client {
	return &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: n}, Timeout: 5 * time.Second}
}

// call asks once and reads the answer to its end.
func call(c *http.Client, url string, body []byte) error {
	resp, err := c.Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

func serveUnderLoad(clients int) error {
	page := strings.Repeat("a line of the page\n", 500)
	url, err := listen(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		io.WriteString(w, strings.ToUpper(page))
	})
	if err != nil {
		return err
	}
	c := newClient(clients)
	for i := 0; i < clients; i++ {
		go askForever(c, url, []byte("{}"), 0)
	}
	return nil
}

func askForever(c *http.Client, url string, body []byte, pause time.Duration) {
	for call(c, url, body) == nil {
		time.Sleep(pause)
	}
}

func serveIdle(clients int) error {
	url, err := listen(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "ok") })
	if err != nil {
		return err
	}
	for i := 0; i < clients; i++ {
		go askForever(newClient(1), url, []byte("{}"), time.Minute)
	}
	return nil
}

type order struct {
	ID    int               `json:"id"`
	Items []string          `json:"items"`
	Notes map[string]string `json:"notes"`
}

func serveJSON(clients int) error {
	url, err := listen(answerOrder)
	if err != nil {
		return err
	}
	o := order{ID: 7, Notes: map[string]string{}}
	for i := 0; i < 300; i++ {
		o.Items = append(o.Items, fmt.Sprintf("item %d", i))
		o.Notes[fmt.Sprintf("note %d", i)] = "as ordered"
	}
	body, err := json.Marshal(o)
	if err != nil {
		return err
	}
	c := newClient(clients)
	for i := 0; i < clients; i++ {
		go askForever(c, url, body, 0)
	}
	return nil
}

func answerOrder(w http.ResponseWriter, r *http.Request) {
	var o order
	if err := json.NewDecoder(r.Body).Decode(&o); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	o.ID++
	json.NewEncoder(w).Encode(o)
}

func callWithLimit(clients int) error {
	url, err := listen(func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "ok") })
	if err != nil {
		return err
	}
	tokens := make(chan struct{}, 3)
	go refill(tokens)
	c := newClient(clients)
	for i := 0; i < clients; i++ {
		go askWithToken(c, url, tokens)
	}
	return nil
}

func refill(tokens chan<- struct{}) {
	for range time.NewTicker(2 * time.Millisecond).C {
		tokens <- struct{}{}
	}
}

func askWithToken(c *http.Client, url string, tokens <-chan struct{}) {
	for range tokens {
		if call(c, url, []byte("{}")) != nil {
			return
		}
	}
}
