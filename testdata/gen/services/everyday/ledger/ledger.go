// Package ledger keeps bookings in a file and lets clerks download them.
package ledger

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"example.com/services/kit"
	"github.com/go-chi/chi/v5"
	bolt "go.etcd.io/bbolt"
)

var bucket = []byte("bookings")

// A Store is the file of bookings.
type Store struct {
	db *bolt.DB
}

// Add books an amount for an account.
func (s *Store) Add(account string, note []byte) error {
	return s.db.Update(func(tx *bolt.Tx) error {
		b := tx.Bucket(bucket)
		id, err := b.NextSequence()
		if err != nil {
			return err
		}
		key := binary.BigEndian.AppendUint64([]byte(account), id)
		return b.Put(key, note)
	})
}

// Each sends all bookings to a channel, of one state of the file.
func (s *Store) Each(out chan<- []byte) error {
	defer close(out)
	return s.db.View(func(tx *bolt.Tx) error {
		return tx.Bucket(bucket).ForEach(func(k, v []byte) error {
			out <- bytes.Clone(v)
			return nil
		})
	})
}

// Count is how many bookings there are.
func (s *Store) Count() (n int, err error) {
	err = s.db.View(func(tx *bolt.Tx) error {
		n = tx.Bucket(bucket).Stats().KeyN
		return nil
	})
	return n, err
}

// export writes the first bookings, as many as the page has lines.
func (s *Store) export(w http.ResponseWriter, r *http.Request) {
	rows := make(chan []byte, 8)
	go s.Each(rows)
	lines := 0
	for row := range rows {
		fmt.Fprintf(w, "%s\n", row[:10])
		if lines++; lines == 50 {
			return
		}
	}
}

func Main() {
	kit.Start()
	db, err := bolt.Open(filepath.Join(os.TempDir(), "ledger.db"), 0o600, nil)
	if err != nil {
		panic(err)
	}
	s := &Store{db: db}
	db.Update(func(tx *bolt.Tx) error {
		_, err := tx.CreateBucketIfNotExists(bucket)
		return err
	})
	for i := range 40 {
		s.Add(fmt.Sprint("acc-", i%7), bytes.Repeat([]byte("n"), 200))
	}
	r := chi.NewRouter()
	r.Get("/export", s.export)
	r.Get("/count", func(w http.ResponseWriter, r *http.Request) {
		n, err := s.Count()
		fmt.Fprintln(w, n, err)
	})
	r.Post("/add", func(w http.ResponseWriter, r *http.Request) { s.Add("acc-9", bytes.Repeat([]byte("m"), 4000)) })
	r.Get("/add", func(w http.ResponseWriter, r *http.Request) {
		s.Add("acc-9", bytes.Repeat([]byte("m"), 4000))
		fmt.Fprintln(w, "booked")
	})
	url := kit.API(r)
	kit.Ask(10, 50*time.Millisecond, url+"/export")
	kit.Ask(30, 10*time.Millisecond, url+"/add")
	kit.Ask(5, 50*time.Millisecond, url+"/export")
	go kit.Ask(1000, 100*time.Millisecond, url+"/add")
	kit.Ask(60, 2*time.Second, url+"/count")
	kit.Wait()
}
