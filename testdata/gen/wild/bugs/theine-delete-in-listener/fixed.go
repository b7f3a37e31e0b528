//go:build fixed

package main

import "github.com/Yiling-J/theine-go"

var expired = make(chan string, 1000)

// removed passes the key of an expired token on: the cache calls it under its locks.
func removed(key string, _ token, reason theine.RemoveReason) {
	if reason != theine.EXPIRED {
		return
	}
	select {
	case expired <- key:
	default: // the other tokens expire later by themselves
	}
}

// watch takes the other tokens of a user away when one has expired.
func watch() {
	go func() {
		for key := range expired {
			user := owner(key)
			var others []string
			tokens.Range(func(other string, t token) bool {
				if t.user == user {
					others = append(others, other)
				}
				return true
			})
			for _, other := range others {
				tokens.Delete(other)
			}
		}
	}()
}
