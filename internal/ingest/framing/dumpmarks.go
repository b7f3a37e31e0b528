package framing

import (
	"bytes"

	"github.com/gotriage/triage/internal/ingest/origin"
)

// kubectl cluster-info dump writes the logs of a pod's containers into one file, each between two marks (kubectl,
// pkg/cmd/clusterinfo, clusterinfo_dump.go).
var (
	startMark = []byte("==== START logs for container ")
	endMark   = []byte("==== END logs for container ")
	markTail  = []byte(" ====")
	ofPod     = []byte(" of pod ")
)

// containerMark takes a mark, after which the plain lines are of another container.
func (s *Scanner) containerMark(line []byte) bool {
	if len(line) == 0 || line[0] != '=' {
		return false
	}
	if bytes.HasPrefix(line, endMark) {
		s.unnamed = -1
		s.counts[plain]++
		s.kind = plain
		return true
	}
	rest, ok := bytes.CutPrefix(line, startMark)
	if !ok {
		return false
	}
	rest, ok = bytes.CutSuffix(bytes.TrimRight(rest, "\r "), markTail)
	if !ok {
		return false
	}
	container, where, ok := bytes.Cut(rest, ofPod)
	ns, pod, found := bytes.Cut(where, []byte("/"))
	if !ok || !found || !origin.IsDNSLabel(container) || !origin.IsDNSLabel(ns) || !origin.IsDNSName(pod) {
		return false
	}
	id, seen := s.streams.get(rest)
	if !seen {
		o := s.streams.base
		o.Namespace, o.Pod, o.Container = string(ns), string(pod), string(container)
		id = s.streams.add(rest, []byte(o.Pod+"/"+o.Container), o)
	}
	s.unnamed = id
	s.counts[plain]++
	s.kind = plain
	return true
}
