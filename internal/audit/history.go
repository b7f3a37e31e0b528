package audit

import (
	"maps"
	"slices"
)

// compareAcross compares the bodies of objects that several servers wrote, in the order of all their writes. While a
// log is read, a body is compared with the one before it in that log: where the one before is another server's, neither
// log alone shows what changed, or who changed it.
func (m *merger) compareAcross() {
	histories := map[int32][]*lastBody{}
	for i, l := range m.logs {
		for _, h := range l.histories {
			if object := m.maps[i].objects[h.object]; object >= 0 {
				histories[object] = append(histories[object], h)
			}
		}
		l.histories = nil
	}
	m.compared = map[int32]bool{}
	for _, object := range slices.Sorted(maps.Keys(histories)) {
		if all := histories[object]; len(all) > 1 && len(m.trail.ByObject[object]) >= fewWrites {
			m.compared[object] = true
			m.compareObject(object, all)
		}
	}
}

// compareObject compares one object's versions of all logs.
func (m *merger) compareObject(object int32, all []*lastBody) {
	versions := map[uint64]bodyVersion{}
	for _, l := range all {
		for _, v := range l.versions {
			versions[v.id] = v
		}
	}
	s, masked := newBodies(defaultMaxBodies), m.t.objects.list[object].Resource == "secrets"
	for _, i := range m.trail.ByObject[object] {
		w := &m.trail.Writes[i]
		v, shown := versions[w.ID]
		if !w.OK() || !shown && w.Flags&FlagBodies == 0 && (w.Verb != VerbCreate || w.Sub != 0) {
			continue
		}
		if w.Verb == VerbCreate && w.Sub == 0 || !shown {
			s.drop(object)
		}
		w.Flags &^= FlagBodies
		w.Change = 0
		if !shown {
			continue
		}
		c := comparison{part: v.part}
		if v.part {
			c.moved, c.shown, c.known = s.comparePatch(object, v.body, w, masked)
		} else {
			c.moved, c.more, c.known = s.compareWhole(object, v.body, w, masked)
		}
		m.t.changed(w, &c, true)
	}
}
