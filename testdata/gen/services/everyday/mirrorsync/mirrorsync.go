// Package mirrorsync downloads images of systems, four at a time from one host (MaxConnsPerHost), at the host's speed.
//
// It looks like a pool whose connections were never returned (http-pool-exhausted, http-body-not-closed): seventy wait
// for a connection, for minutes. Four downloads go on, two minutes each.
package mirrorsync

import (
	"io"
	"net/http"
	"time"

	"example.com/services/kit"
)

func image(w http.ResponseWriter, r *http.Request) {
	for range 120 {
		if _, err := w.Write(make([]byte, 8<<10)); err != nil {
			return
		}
		w.(http.Flusher).Flush()
		time.Sleep(time.Second)
	}
}

type mirror struct {
	client *http.Client
	url    string
}

func (m *mirror) fetch() error {
	answer, err := m.client.Get(m.url)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, answer.Body)
	return err
}

// Main downloads.
func Main() {
	kit.Start()
	m := &mirror{&http.Client{Transport: &http.Transport{MaxConnsPerHost: 4}}, kit.API(http.HandlerFunc(image))}
	for range 74 {
		go func() {
			for {
				m.fetch()
			}
		}()
	}
	kit.Wait()
}
