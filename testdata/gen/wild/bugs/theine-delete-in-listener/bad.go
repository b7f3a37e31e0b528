//go:build !fixed

package main

import "github.com/Yiling-J/theine-go"

// removed takes the other tokens of a user away when one has expired.
func removed(key string, _ token, reason theine.RemoveReason) {
	if reason != theine.EXPIRED {
		return
	}
	user := owner(key)
	tokens.Range(func(other string, t token) bool {
		if t.user == user {
			tokens.Delete(other)
		}
		return true
	})
}

// watch has nothing to prepare: removed does all the work.
func watch() {}
