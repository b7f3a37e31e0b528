// Package seats writes to a bbolt file: one import writes for three seconds at a time, and requests queue behind it.
//
// It looks like a lock that is held for ever (lock-convoy, double-lock, stuck-again): twenty requests wait in Update
// while one transaction reads what it imports from a slow feed. bbolt lets one write at a time; each has its turn.
package seats

import (
	"encoding/binary"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"example.com/services/kit"
	"go.etcd.io/bbolt"
)

// feed answers slowly, as the feed of an airline does.
func feed(w http.ResponseWriter, r *http.Request) {
	for range 6 {
		w.Write(make([]byte, 512))
		w.(http.Flusher).Flush()
		time.Sleep(500 * time.Millisecond)
	}
}

type book struct {
	db   *bbolt.DB
	feed string
}

func (b *book) importAll(tx *bbolt.Tx) error {
	answer, err := http.Get(b.feed)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	return tx.Bucket([]byte("book")).Put([]byte("import"), data)
}

func (b *book) add(tx *bbolt.Tx) error {
	bucket := tx.Bucket([]byte("book"))
	n, err := bucket.NextSequence()
	if err != nil {
		return err
	}
	return bucket.Put(binary.BigEndian.AppendUint64(nil, n%100), []byte("seat"))
}

func (b *book) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := b.db.Update(b.add); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

func ask(url string) {
	for {
		if answer, err := http.Get(url); err == nil {
			answer.Body.Close()
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// Main opens the book.
func Main() {
	kit.Start()
	db, err := bbolt.Open(filepath.Join(os.TempDir(), "book.db"), 0o600, nil)
	if err != nil {
		panic(err)
	}
	if err := db.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucketIfNotExists([]byte("book"))
		return err
	}); err != nil {
		panic(err)
	}
	b := &book{db, kit.API(http.HandlerFunc(feed))}
	url := kit.API(b)
	for range 20 {
		go ask(url)
	}
	for {
		b.db.Update(b.importAll)
		time.Sleep(200 * time.Millisecond)
	}
}
