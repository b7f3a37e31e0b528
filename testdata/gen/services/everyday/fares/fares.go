// Package fares asks a carrier for its table of fares, once for all requests, by singleflight.
//
// It looks like requests that hang (request-stuck, waitgroup-stuck, http-request-without-timeout): 200 wait for one
// flight, and that for an answer, for eight minutes. The carrier makes its table for so long, each time.
package fares

import (
	"io"
	"net/http"
	"time"

	"example.com/services/kit"
	"golang.org/x/sync/singleflight"
)

func carrier(w http.ResponseWriter, r *http.Request) {
	time.Sleep(8 * time.Minute)
	io.WriteString(w, "table")
}

type desk struct {
	group   singleflight.Group
	carrier string
}

func (d *desk) load() (any, error) {
	answer, err := http.Get(d.carrier)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	return io.ReadAll(answer.Body)
}

func (d *desk) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	table, err, _ := d.group.Do("table", d.load)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	w.Write(table.([]byte))
}

// Main serves fares.
func Main() {
	kit.Start()
	d := &desk{carrier: kit.API(http.HandlerFunc(carrier))}
	url := kit.API(d)
	for range 200 {
		go func() {
			for {
				if answer, err := http.Get(url); err == nil {
					answer.Body.Close()
				}
				time.Sleep(time.Second)
			}
		}()
	}
	kit.Wait()
}
