package kube

import "strings"

// Heartbeat reports whether the field of an object at path is there to be renewed: by its name, or because it is the lock of
// an old leader election.
func Heartbeat(path string) bool {
	path = strings.ToLower(path)
	for _, word := range []string{
		"heartbeat", "lastprobe", "renewtime", "lastpoll", "lastseen", "lastcheck", "lastsync", "lastscrape",
		"control-plane.alpha.kubernetes.io/leader",
	} {
		if strings.Contains(path, word) {
			return true
		}
	}
	return false
}
