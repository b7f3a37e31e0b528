//go:build !fixed

package main

// find returns any session.
func find(r *registry) (session, bool) {
	var found session
	ok := false
	for item := range r.sessions.Iter() {
		found, ok = item.Val.(session)
		break
	}
	return found, ok
}
