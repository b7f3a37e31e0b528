//go:build fixed

package main

import "github.com/tidwall/buntdb"

// visit counts one more.
func visit(db *buntdb.DB) error {
	return db.Update(func(tx *buntdb.Tx) error {
		count, err := tx.Get("/")
		if err != nil {
			return err
		}
		_, _, err = tx.Set("/", count[:1], nil)
		return err
	})
}
