package audit

import (
	"bytes"
	"container/list"
	"slices"

	"github.com/gotriage/triage/internal/jsonspan"
)

const (
	// defaultMaxBodies bounds the last bodies that are kept for comparisons; the least recently written go first.
	defaultMaxBodies = 32 << 20
	// maxBody is the largest body that is kept: objects are at most 1.5 MiB (etcd's limit), those in loops some KiB.
	maxBody = 256 << 10
	// maxOverlay is how many fields that patches set are remembered for an object whose body the log never shows whole.
	maxOverlay = 64
	// maxVersions bounds the bodies that Merge compares over all logs, maxVersionsOf those of one object. The last
	// ones are kept, of the objects that were written last.
	maxVersions   = 16 << 20
	maxVersionsOf = 1024
)

// lastBodies remembers the last body of each object, so that the next write's can be compared with it.
type lastBodies struct {
	max, size  int
	of         map[int32]*list.Element // of *lastBody
	recent     *list.List              // the same, most recently written first
	d          differ
	sets       []Change // scratch
	news, olds []uint64 // scratch: the hashes of their values, 0 for none
	versions   int      // bytes of all versions
}

// A lastBody is what is known of an object's fields: its last whole body, and above it what patches set since.
type lastBody struct {
	object  int32
	body    []byte
	overlay map[string]shownValue
	extra   int    // bytes of overlay
	version uint64 // of body, 0 where it is unknown
	writes  int
	// versions are the bodies of its last writes, each as its event has it; first waits for a second one.
	versions []bodyVersion
	first    bodyVersion
}

// A bodyVersion is the body of one write.
type bodyVersion struct {
	id   uint64 // the write's
	body []byte
	part bool // it names only fields to be set
}

// A shownValue is a field's value as it is shown, with the hash of all of it.
type shownValue struct {
	text string
	hash uint64
}

func newBodies(limit int) *lastBodies {
	return &lastBodies{max: limit, of: map[int32]*list.Element{}, recent: list.New()}
}

// compareWhole takes a body that shows all of the object and returns what differs from before. known is false for the
// first, and where versions show that the object was written in between through another server: w's are the request's
// and the answer's.
func (s *lastBodies) compareWhole(
	object int32, body []byte, w *Write, masked bool,
) (changes []Change, more int, known bool) {
	if len(body) > maxBody {
		s.drop(object)
		return nil, 0, false
	}
	l := s.bodyOf(object)
	if l.body != nil {
		changes, more, known = s.d.compare(l.body, body, masked)
		known = known && (w.In == 0 || l.version == 0 || w.In == l.version)
	}
	if w.Out != 0 {
		l.version = w.Out
	}
	if len(l.overlay) > 0 {
		changes = s.overlaid(l, body, changes)
		known = known || l.body == nil
		s.size -= l.extra
		l.overlay, l.extra = nil, 0
	}
	s.size += len(body) - len(l.body)
	l.body = bytes.Clone(body)
	s.keep(l, bodyVersion{w.ID, l.body, false})
	s.evict()
	return changes, more, known
}

// overlaid corrects changes by what patches set since the last whole body.
func (s *lastBodies) overlaid(l *lastBody, body []byte, changes []Change) []Change {
	kept := s.sets[:0]
	for _, c := range changes {
		if _, ok := l.overlay[c.Path]; !ok {
			kept = append(kept, c)
		}
	}
	d := &s.d
	d.walk(body, func(raw []byte) {
		before, ok := l.overlay[string(d.path)]
		if ok && before.hash != hashID(raw, nil) && len(kept) < maxPaths {
			kept = append(kept, Change{Path: string(d.path), Old: before.text, New: cut(raw)})
		}
	})
	s.sets = kept
	return kept
}

// comparePatch takes a body that names only fields to be set and returns those that it sets to another value than they
// are known to have; all is everything it sets.
func (s *lastBodies) comparePatch(
	object int32, body []byte, w *Write, masked bool,
) (changes, all []Change, known bool) {
	sets, news, olds := s.sets[:0], s.news[:0], s.olds[:0]
	d := &s.d
	add := func(raw []byte) {
		if len(sets) < maxOverlay && len(d.path) <= maxPath {
			c := Change{Path: string(d.path), New: cut(raw)}
			if masked || sensitive(c.Path) {
				c.New = mask(raw)
			}
			sets, news, olds = append(sets, c), append(news, hashID(raw, nil)), append(olds, 0)
		}
	}
	if jsonspan.IsObject(body, 0) {
		d.walk(body, add)
	} else if !d.patchOps(body, add) {
		return nil, nil, false
	}
	s.sets, s.news, s.olds = sets, news, olds
	l := s.bodyOf(object)
	if len(l.body) > 0 {
		s.fillOld(l)
	}
	if l.overlay == nil {
		l.overlay = make(map[string]shownValue)
	}
	for i := range sets {
		c := &sets[i]
		if old, ok := l.overlay[c.Path]; ok {
			c.Old, olds[i] = old.text, old.hash
		}
		known = known || olds[i] != 0
		if olds[i] != news[i] {
			changes = append(changes, *c)
		}
		if _, there := l.overlay[c.Path]; there || len(l.overlay) < maxOverlay {
			if !there {
				cost := len(c.Path) + maxValue
				l.extra += cost
				s.size += cost
			}
			l.overlay[c.Path] = shownValue{c.New, news[i]}
		}
	}
	s.keep(l, bodyVersion{w.ID, bytes.Clone(body), true})
	s.evict()
	return changes[:min(len(changes), maxPaths)], sets, known
}

// fillOld looks up the values of the fields of sets in the last whole body.
func (s *lastBodies) fillOld(l *lastBody) {
	at := make(map[string]int, len(s.sets))
	for i := range s.sets {
		at[s.sets[i].Path] = i
	}
	d := &s.d
	d.walk(l.body, func(raw []byte) {
		if i, ok := at[string(d.path)]; ok {
			s.sets[i].Old, s.olds[i] = cut(raw), hashID(raw, nil)
			if s.sets[i].New == "***" {
				s.sets[i].Old = mask(raw)
			}
		}
	})
}

// patchOps walks a JSON patch (RFC 6902): what it sets, as leaves; removals set null.
func (d *differ) patchOps(b []byte, f func(raw []byte)) bool {
	if len(b) == 0 || b[0] != '[' {
		return false
	}
	*d = differ{path: d.path[:0], out: d.out[:0], parts: d.parts[:0]}
	return jsonspan.EachElement(b, 0, func(at int) int {
		var path []byte
		value := rawValue("null")
		end := new(arena).members(b, at, member{"path", &path}, member{"value", &value})
		d.path = d.path[:0]
		for step := range bytes.SplitSeq(bytes.TrimPrefix(path, []byte("/")), []byte("/")) {
			step = bytes.ReplaceAll(bytes.ReplaceAll(step, []byte("~1"), []byte("/")), []byte("~0"), []byte("~"))
			d.push(step)
		}
		f(value)
		return end
	}) >= 0
}

// entryCost is what an entry takes besides its body, overlay included.
const entryCost = 512

func (s *lastBodies) bodyOf(object int32) *lastBody {
	e := s.of[object]
	if e == nil {
		e = s.recent.PushFront(&lastBody{object: object})
		s.of[object] = e
		s.size += entryCost
	}
	s.recent.MoveToFront(e)
	return e.Value.(*lastBody)
}

func (s *lastBodies) drop(object int32) {
	if e := s.of[object]; e != nil {
		l := s.recent.Remove(e).(*lastBody)
		delete(s.of, object)
		s.size -= len(l.body) + entryCost + l.extra
		s.forget(l, len(l.versions))
	}
}

// keep keeps a version of an object that is written again and again.
func (s *lastBodies) keep(l *lastBody, v bodyVersion) {
	switch l.writes++; l.writes {
	case 1:
		l.first = v
		return
	case 2:
		l.versions, s.versions = append(l.versions, l.first), s.versions+len(l.first.body)
		l.first = bodyVersion{}
	}
	if len(l.versions) == maxVersionsOf {
		s.forget(l, maxVersionsOf/2)
	}
	l.versions = append(l.versions, v)
	if s.versions += len(v.body); s.versions <= maxVersions {
		return
	}
	for e := s.recent.Back(); e != nil && s.versions > maxVersions/4*3; e = e.Prev() {
		old := e.Value.(*lastBody)
		s.forget(old, len(old.versions))
	}
}

// forget leaves out the first n of an object's versions.
func (s *lastBodies) forget(l *lastBody, n int) {
	for _, v := range l.versions[:n] {
		s.versions -= len(v.body)
	}
	l.versions = slices.Delete(l.versions, 0, n)
}

// histories are the objects of which there are versions.
func (s *lastBodies) histories() (all []*lastBody) {
	for e := s.recent.Front(); e != nil; e = e.Next() {
		if l := e.Value.(*lastBody); len(l.versions) > 0 {
			all = append(all, l)
		}
	}
	return all
}

func (s *lastBodies) evict() {
	for s.size > s.max && s.recent.Len() > 1 {
		s.drop(s.recent.Back().Value.(*lastBody).object)
	}
}
