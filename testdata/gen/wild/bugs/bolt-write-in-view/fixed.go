//go:build fixed

package main

import "go.etcd.io/bbolt"

// renew writes a copy of some sessions.
func renew(db *bbolt.DB) error {
	var ids []string
	if err := db.View(func(tx *bbolt.Tx) error {
		return tx.Bucket(sessions).ForEach(func(id, _ []byte) error {
			if len(ids) < 10 {
				ids = append(ids, string(id))
			}
			return nil
		})
	}); err != nil {
		return err
	}
	for _, id := range ids {
		if err := save(db, "copy of "+id); err != nil {
			return err
		}
	}
	return nil
}
