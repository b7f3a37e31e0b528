//go:build fixed

package main

import (
	"log"
	"time"

	"github.com/syndtr/goleveldb/leveldb"
)

// transfer moves money from one account to another, and notes it.
func transfer(db *leveldb.DB) {
	for i := 0; ; i++ {
		tx, err := db.OpenTransaction()
		if err != nil {
			log.Fatal(err)
		}
		put(tx, "account/1", 100-i)
		put(tx, "account/2", 100+i)
		if err := tx.Commit(); err != nil {
			log.Fatal(err)
		}
		note(db, i)
		time.Sleep(time.Second)
	}
}

// note keeps when there was a transfer.
func note(db *leveldb.DB, i int) { put(db, "last", i) }
