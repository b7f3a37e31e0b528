//go:build fixed

package main

import "github.com/boltdb/bolt"

// audit notes the transfer.
func audit(_ *bolt.DB, tx *bolt.Tx) error {
	return tx.Bucket(accounts).Put([]byte("log"), []byte("transfer"))
}
