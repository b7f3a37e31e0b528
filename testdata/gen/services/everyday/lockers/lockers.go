// Package lockers rents lockers; all rents go through one file, whose disk is slow.
package lockers

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"example.com/services/kit"
	"github.com/labstack/echo/v4"
	bolt "go.etcd.io/bbolt"
)

var rents = []byte("rents")

// A hall is a hall of lockers.
type hall struct {
	db *bolt.DB
}

// rent waits for the disk while it has the writers' lock; others queue behind it and each has its turn.
func (h *hall) rent(name string) error {
	return h.db.Update(func(tx *bolt.Tx) error {
		time.Sleep(1200 * time.Millisecond) // the lock turns
		return tx.Bucket(rents).Put([]byte(name), []byte(time.Now().String()))
	})
}

// note is batched: its callers wait for the batch.
func (h *hall) note(name string) error {
	return h.db.Batch(func(tx *bolt.Tx) error { return tx.Bucket(rents).Put([]byte(name), nil) })
}

// audit reads for long, of one state of the file.
func (h *hall) audit() {
	for {
		h.db.View(func(tx *bolt.Tx) error {
			return tx.Bucket(rents).ForEach(func(k, v []byte) error {
				time.Sleep(2 * time.Second) // the auditor looks into the locker
				return nil
			})
		})
	}
}

func Main() {
	kit.Start()
	db, err := bolt.Open(filepath.Join(os.TempDir(), "lockers.db"), 0o600, &bolt.Options{InitialMmapSize: 1 << 22})
	if err != nil {
		panic(err)
	}
	h := &hall{db}
	db.Update(func(tx *bolt.Tx) error {
		b, err := tx.CreateBucketIfNotExists(rents)
		for i := range 100 {
			b.Put([]byte(fmt.Sprint("old-", i)), nil)
		}
		return err
	})
	go h.audit()
	e := echo.New()
	e.HideBanner, e.HidePort = true, true
	e.GET("/rent/:name", func(c echo.Context) error {
		if err := h.rent(c.Param("name")); err != nil {
			return err
		}
		return c.NoContent(http.StatusOK)
	})
	e.GET("/note/:name", func(c echo.Context) error { return h.note(c.Param("name")) })
	url := kit.API(e)
	go func() { // twelve customers come with each bus, and are patient
		for {
			for i := range 12 {
				go http.Get(fmt.Sprint(url, "/rent/c", i))
			}
			time.Sleep(30 * time.Second)
		}
	}()
	go kit.Ask(2000, 4*time.Second, url+"/note/x")
	kit.Wait()
}
