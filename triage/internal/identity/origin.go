// Package identity finds out which pod, container and process an input is of: from paths, framings, manifests of
// captures, the names of files, and the goroutines themselves.
package identity

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/rules"
)

// TargetFrom is the process that an origin names, for commands.
func TargetFrom(path string, from ingest.Origin) rules.Target {
	return rules.Target{
		Namespace: from.Namespace, Pod: from.Pod, Container: from.Container, Node: from.Node,
		LogPath: logPath(path, from),
	}
}

// ProcessName is the process that wrote a dump as far as origin and stream name it, "" where they don't: one
// process writes to both stdout and stderr.
func ProcessName(from ingest.Origin, stream string) string {
	if from.Pod != "" {
		name := from.Namespace + "/" + from.Pod + "/" + from.Container
		if from.Restart >= 0 {
			name += fmt.Sprintf("/%d", from.Restart)
		}
		return name
	}
	if stream == "stdout" || stream == "stderr" {
		return ""
	}
	return stream
}

// PodLogs is where the kubelet of every node keeps the logs of its pods.
const PodLogs = "/var/log/pods/"

// NodePath is where a path that was copied from a node was before, "" where unknown.
func NodePath(path string) string {
	path = "/" + filepath.ToSlash(path)
	i := strings.LastIndex(path, PodLogs)
	if i < 0 {
		return ""
	}
	return path[i:]
}

// logPath is the log's path on its node, "" where neither its path nor its origin has it.
func logPath(path string, from ingest.Origin) string {
	if p := NodePath(path); p != "" {
		return p
	}
	if from.Namespace == "" || from.Pod == "" || from.PodUID == "" || from.Container == "" || from.Restart < 0 {
		return ""
	}
	return fmt.Sprintf("%s%s_%s_%s/%s/%d.log", PodLogs, from.Namespace, from.Pod, from.PodUID, from.Container,
		from.Restart)
}
