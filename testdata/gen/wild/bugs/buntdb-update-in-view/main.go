// Command buntdb-update-in-view counts how often pages are looked at.
//
// https://github.com/tidwall/buntdb/issues/74
package main

import (
	"log"
	"net/http"
	"time"

	"github.com/tidwall/buntdb"

	"wild/kit"
)

func main() {
	kit.Serve()
	db, err := buntdb.Open(":memory:")
	if err != nil {
		log.Fatal(err)
	}
	if err := set(db, "/", "0"); err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { visit(db) })
	for range time.Tick(200 * time.Millisecond) {
		go visit(db)
	}
}

// set stores how often a page was looked at.
func set(db *buntdb.DB, page, count string) error {
	return db.Update(func(tx *buntdb.Tx) error {
		_, _, err := tx.Set(page, count, nil)
		return err
	})
}
