//go:build !fixed

package main

import "github.com/tidwall/buntdb"

// report asks for the time left of each token.
func report(db *buntdb.DB) error {
	return db.View(func(tx *buntdb.Tx) error {
		return tx.Ascend("", func(key, _ string) bool {
			return timeLeft(db, key) == nil
		})
	})
}

// timeLeft asks for the time left of one.
func timeLeft(db *buntdb.DB, key string) error {
	return db.View(func(tx *buntdb.Tx) error {
		_, err := tx.TTL(key)
		return err
	})
}
