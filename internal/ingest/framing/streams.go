package framing

import (
	"bytes"

	"github.com/gotriage/triage/internal/ingest/origin"
)

// MaxStreams bounds the writers that are kept apart: a hostile log could name a new one in every line. What a node's
// journal or a `stern .` over a large namespace holds stays below it.
const MaxStreams = 1024

// A Stream is one writer within a source: stderr of a container, one pod of a stern log, one unit of a journal.
type Stream struct {
	Name   string // "stderr", "stdout", "web-1/app", "kubelet[4121]"; "" for the only writer of a plain file
	Origin origin.Origin
}

// streams is the registry of writers.
type streams struct {
	list []Stream
	ids  map[string]int32
	base origin.Origin
	over int32 // the stream that all further writers share, -1 while there is room
	// last is the key that was asked for last, lastID its stream: consecutive lines mostly have one writer.
	last   []byte
	lastID int32
}

func newStreams(base origin.Origin) *streams {
	return &streams{ids: make(map[string]int32), base: base, over: -1, lastID: -1}
}

// get returns the stream that add has registered under key.
func (s *streams) get(key []byte) (id int32, ok bool) {
	if s.lastID >= 0 && string(s.last) == string(key) {
		return s.lastID, true
	}
	if id, ok = s.ids[string(key)]; ok {
		s.last, s.lastID = append(s.last[:0], key...), id
	}
	return id, ok
}

// add registers a stream under key, with that name and origin.
func (s *streams) add(key, name []byte, o origin.Origin) int32 {
	id := int32(len(s.list))
	switch {
	case id < MaxStreams-1:
		s.list = append(s.list, Stream{Name: string(name), Origin: o})
		s.ids[string(key)] = id
	case s.over < 0:
		s.over = id
		s.list = append(s.list, Stream{Name: "other", Origin: s.base})
	default:
		id = s.over
	}
	s.last, s.lastID = append(s.last[:0], key...), id
	return id
}

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
