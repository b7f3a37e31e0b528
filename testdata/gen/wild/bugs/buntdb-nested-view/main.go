// Command buntdb-nested-view reports how long tokens are valid.
//
// https://github.com/tidwall/buntdb/pull/93
package main

import (
	"fmt"
	"log"
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
	for n := range 3 {
		go issue(db, n)
	}
	for range 2 {
		go func() {
			for range time.Tick(20 * time.Millisecond) {
				report(db)
			}
		}()
	}
	select {}
}

// issue makes tokens.
func issue(db *buntdb.DB, source int) {
	for n := 0; ; n++ {
		db.Update(func(tx *buntdb.Tx) error {
			_, _, err := tx.Set(fmt.Sprint(source, n%50), "token", &buntdb.SetOptions{Expires: true, TTL: time.Minute})
			return err
		})
		time.Sleep(time.Millisecond)
	}
}
