// Command bolt-two-writers keeps accounts.
//
// https://github.com/etcd-io/bbolt/issues/69
package main

import (
	"log"
	"time"

	"github.com/boltdb/bolt"

	"wild/kit"
)

var accounts = []byte("accounts")

func main() {
	kit.Serve()
	db, err := bolt.Open("accounts.db", 0o600, nil)
	if err != nil {
		log.Fatal(err)
	}
	if err := db.Update(func(tx *bolt.Tx) error {
		_, err := tx.CreateBucketIfNotExists(accounts)
		return err
	}); err != nil {
		log.Fatal(err)
	}
	for range time.Tick(300 * time.Millisecond) {
		go transfer(db)
	}
}

// transfer moves an amount.
func transfer(db *bolt.DB) error {
	tx, err := db.Begin(true)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := tx.Bucket(accounts).Put([]byte("ann"), []byte("1")); err != nil {
		return err
	}
	if err := audit(db, tx); err != nil {
		return err
	}
	return tx.Commit()
}
