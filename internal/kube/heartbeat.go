package kube

import (
	"slices"
	"strings"
)

// Heartbeat reports whether the field of an object at path is there to be renewed: by its name, or because it is the lock of
// an old leader election.
func Heartbeat(path string) bool {
	path = strings.ToLower(path)
	words := []string{
		"heartbeat", "lastprobe", "renewtime", "lastpoll", "lastseen", "lastcheck", "lastsync", "lastscrape",
		"control-plane.alpha.kubernetes.io/leader",
	}
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(path, word) })
}
