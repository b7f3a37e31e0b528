// Command bolt-write-in-view is a store of sessions that forgets old ones.
//
// https://github.com/boltdb/bolt/issues/378
package main

import (
	"fmt"
	"log"
	"time"

	"go.etcd.io/bbolt"

	"wild/kit"
)

var sessions = []byte("sessions")

func main() {
	kit.Serve()
	db, err := bbolt.Open("sessions.db", 0o600, nil)
	if err != nil {
		log.Fatal(err)
	}
	if err := db.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucketIfNotExists(sessions)
		return err
	}); err != nil {
		log.Fatal(err)
	}
	go read(db)
	for n := 0; ; n++ {
		if err := save(db, fmt.Sprint(n)); err != nil {
			log.Print(err)
		}
		if n%10 == 9 {
			if err := renew(db); err != nil {
				log.Print(err)
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// save stores a session.
func save(db *bbolt.DB, id string) error {
	return db.Update(func(tx *bbolt.Tx) error {
		return tx.Bucket(sessions).Put([]byte(id), make([]byte, 4096))
	})
}

// read looks a session up now and then.
func read(db *bbolt.DB) {
	for range time.Tick(100 * time.Millisecond) {
		db.View(func(tx *bbolt.Tx) error {
			tx.Bucket(sessions).Get([]byte("1"))
			return nil
		})
	}
}
