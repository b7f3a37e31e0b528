//go:build !fixed

package main

import "github.com/boltdb/bolt"

// audit notes the transfer.
func audit(db *bolt.DB, _ *bolt.Tx) error {
	note, err := db.Begin(true)
	if err != nil {
		return err
	}
	defer note.Rollback()
	if err := note.Bucket(accounts).Put([]byte("log"), []byte("transfer")); err != nil {
		return err
	}
	return note.Commit()
}
