package kube

import (
	"slices"
	"strings"
)

// Heartbeat reports whether a field is there to be renewed: by its name, or as an old leader election's lock.
func Heartbeat(path string) bool {
	path = strings.ToLower(path)
	words := []string{
		"heartbeat", "lastprobe", "renewtime", "lastpoll", "lastseen", "lastcheck", "lastsync", "lastscrape",
		"control-plane.alpha.kubernetes.io/leader",
	}
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(path, word) })
}
