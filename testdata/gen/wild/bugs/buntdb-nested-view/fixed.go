//go:build fixed

package main

import "github.com/tidwall/buntdb"

// report asks for the time left of each token.
func report(db *buntdb.DB) error {
	return db.View(func(tx *buntdb.Tx) error {
		return tx.Ascend("", func(key, _ string) bool {
			_, err := tx.TTL(key)
			return err == nil
		})
	})
}
