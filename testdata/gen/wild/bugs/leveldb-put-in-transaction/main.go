// Command leveldb-put-in-transaction keeps accounts in a small database.
//
// https://github.com/syndtr/goleveldb/issues/431
package main

import (
	"fmt"
	"log"
	"time"

	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/opt"
	"github.com/syndtr/goleveldb/leveldb/storage"

	"wild/kit"
)

func main() {
	kit.Serve()
	db, err := leveldb.Open(storage.NewMemStorage(), nil)
	if err != nil {
		log.Fatal(err)
	}
	go transfer(db)
	for range time.Tick(time.Second) {
		balance, err := db.Get([]byte("account/1"), nil)
		log.Printf("%s %v", balance, err)
	}
}

// A writer is the database or a transaction.
type writer interface {
	Put(key, value []byte, wo *opt.WriteOptions) error
}

// put writes one number.
func put(store writer, key string, value int) {
	if err := store.Put([]byte(key), []byte(fmt.Sprint(value)), nil); err != nil {
		log.Fatal(err)
	}
}
