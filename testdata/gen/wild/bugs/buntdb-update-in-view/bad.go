//go:build !fixed

package main

import "github.com/tidwall/buntdb"

// visit counts one more.
func visit(db *buntdb.DB) error {
	return db.View(func(tx *buntdb.Tx) error {
		count, err := tx.Get("/")
		if err != nil {
			return err
		}
		return set(db, "/", count+"1")
	})
}
