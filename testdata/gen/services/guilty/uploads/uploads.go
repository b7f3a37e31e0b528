// Package uploads packs what comes in and stores it while it is packed.
package uploads

import (
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"time"

	"example.com/services/kit"
)

type Store struct{ room int64 }

func (s *Store) Put(name string, r io.Reader) error {
	n, err := io.Copy(io.Discard, io.LimitReader(r, s.room))
	if n == s.room {
		return errors.New("no room for " + name)
	}
	return err
}

type Service struct{ store *Store }

func (s *Service) upload(w http.ResponseWriter, r *http.Request) {
	pr, pw := io.Pipe()
	go s.pack(pw)
	if err := s.store.Put(r.URL.Path, pr); err != nil {
		http.Error(w, err.Error(), http.StatusInsufficientStorage)
	}
}

func (s *Service) pack(pw *io.PipeWriter) {
	z := gzip.NewWriter(pw)
	for i := range 20000 {
		io.WriteString(z, http.StatusText(i%600)+time.Now().String())
	}
	pw.CloseWithError(z.Close())
}

func Main() {
	kit.Start()
	s := &Service{&Store{16}}
	url := kit.API(http.HandlerFunc(s.upload))
	kit.Ask(120, 100*time.Millisecond, url)
	kit.Ask(40, 5*time.Second, url)
	kit.Wait()
}
