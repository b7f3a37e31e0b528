package framing

import "github.com/gotriage/triage/internal/ingest/origin"

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
}

func newStreams(base origin.Origin) *streams {
	return &streams{ids: make(map[string]int32), base: base, over: -1}
}

// lookup returns the stream that id has registered under key.
func (s *streams) lookup(key []byte) (int32, bool) {
	id, ok := s.ids[string(key)]
	return id, ok
}

// id returns the stream under key, a new one with that name and origin where there is none.
func (s *streams) id(key, name []byte, o origin.Origin) int32 {
	if id, ok := s.ids[string(key)]; ok {
		return id
	}
	if len(s.list) >= MaxStreams-1 {
		if s.over < 0 {
			s.over = int32(len(s.list))
			s.list = append(s.list, Stream{Name: "other", Origin: s.base})
		}
		return s.over
	}
	id := int32(len(s.list))
	s.list = append(s.list, Stream{Name: string(name), Origin: o})
	s.ids[string(key)] = id
	return id
}

// A prefixCache remembers the last prefix and its stream: consecutive lines mostly have one writer.
type prefixCache struct {
	key []byte
	id  int32
	set bool
}

func (c *prefixCache) get(key []byte) (int32, bool) {
	if c.set && string(c.key) == string(key) {
		return c.id, true
	}
	return 0, false
}

func (c *prefixCache) put(key []byte, id int32) {
	c.key, c.id, c.set = append(c.key[:0], key...), id, true
}
