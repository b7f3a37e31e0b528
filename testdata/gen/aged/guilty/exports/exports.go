// Package exports: who reads a pipe returns at a bad line, and does not close it; writers stay.
package exports

import (
	"encoding/csv"
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	"aged/kit"
)

type service struct{ rows, runs atomic.Int64 }

func produce(w *io.PipeWriter, bad bool) {
	out := csv.NewWriter(w)
	for i := range 5000 {
		amount := strconv.Itoa(10 * i)
		if bad && i == 700 {
			amount = "n/a"
		}
		if err := out.Write([]string{strconv.Itoa(i), "EUR", amount}); err != nil {
			w.CloseWithError(err)
			return
		}
	}
	out.Flush()
	w.CloseWithError(out.Error())
}

// export checks what it sends, line by line.
func (s *service) export(bad bool) error {
	pr, pw := io.Pipe()
	go produce(pw, bad)
	in := csv.NewReader(pr)
	for {
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := strconv.Atoi(record[2]); err != nil {
			return err
		}
		s.rows.Add(1)
	}
}

func (s *service) nightly() {
	for range time.Tick(20 * time.Second) {
		s.export(false)
	}
}

// Main serves it.
func Main() {
	s := &service{}
	go s.nightly()
	mux := http.NewServeMux()
	mux.HandleFunc("/exports", func(w http.ResponseWriter, r *http.Request) {
		if err := s.export(s.runs.Add(1)%3 == 0); err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
		}
	})
	mux.HandleFunc("/healthz", kit.OK)
	address := kit.API(mux)
	go kit.Visit(address, 5*time.Second, "/exports")
	go kit.Visit(address, 2*time.Second, "/healthz")
	kit.Wait()
}
