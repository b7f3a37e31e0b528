package kube

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"
)

// A list that was taken again, whole, and that lacks an object that it had before shows that the object is gone. Its
// path and what both contain show that it is the same list: one of another selector, another namespace or another page
// has another name, or nothing in common with it.

// A datedList is a list with the place in time that the API server's versions give it.
type datedList struct {
	list   *list
	source int
	dir    string
	newest int64 // version of the list, or of its newest member
	has    map[objKey]bool
}

// retakenLists are the lists of all sources that were taken more than once, with what their folders hold.
type retakenLists struct {
	groups [][]*datedList
	inputs map[string][]string        // of each folder
	keys   map[string]map[objKey]bool // of each input
	newest map[string]int64           // version of each folder
}

// retakenOf gathers them before the versions of objects are merged.
func retakenOf(all []*Objects) *retakenLists {
	groups := map[string][]*datedList{}
	var order []string
	for i, o := range all {
		for j := range o.lists {
			l := &o.lists[j]
			if l.version < 0 || l.kind == "" || l.kind == "Event" {
				continue
			}
			shape := l.kind + " " + snapshotShape(l.path)
			if groups[shape] == nil {
				order = append(order, shape)
			}
			groups[shape] = append(groups[shape], &datedList{list: l, source: i, dir: path.Dir(l.path)})
		}
	}
	r := &retakenLists{}
	for _, shape := range order {
		if group := groups[shape]; len(group) > 1 {
			r.groups = append(r.groups, group)
		}
	}
	if len(r.groups) > 0 {
		r.addLists(all)
	}
	return r
}

// addLists notes what the lists and their folders hold.
func (r *retakenLists) addLists(all []*Objects) {
	r.inputs, r.keys, r.newest = map[string][]string{}, map[string]map[objKey]bool{}, map[string]int64{}
	dirs := map[string]bool{}
	for _, group := range r.groups {
		for _, s := range group {
			dirs[s.dir] = true
			s.newest = s.list.version
			s.has = make(map[objKey]bool, len(s.list.members))
			for _, o := range s.list.members {
				s.has[o.key] = true
				s.newest = max(s.newest, versionOf(o.meta))
			}
		}
	}
	for _, o := range all {
		for _, o := range o.objects {
			input := o.meta.Input
			dir := path.Dir(input)
			if !dirs[dir] {
				continue
			}
			if r.keys[input] == nil {
				r.keys[input] = map[objKey]bool{}
				r.inputs[dir] = append(r.inputs[dir], input)
			}
			r.keys[input][o.key] = true
			r.newest[dir] = max(r.newest[dir], versionOf(o.meta))
		}
		for _, l := range o.lists {
			r.newest[path.Dir(l.path)] = max(r.newest[path.Dir(l.path)], l.version)
		}
	}
}

// markAbsent marks objects that a later list lacks as gone.
func (c *Cluster) markAbsent(r *retakenLists, objects []mergedObject) {
	if len(r.groups) == 0 {
		return
	}
	metas := make(map[objKey]*Meta, len(objects))
	for _, o := range objects {
		metas[o.key] = o.meta
	}
	for _, group := range r.groups {
		c.markLacking(r, group, metas)
	}
}

// markReplaced marks objects as gone that are there again, younger and with another UID.
func markReplaced(objects []mergedObject) {
	young := 0
	for i := 1; i < len(objects); i++ { // ordered by namespace, kind and name
		a, b := objects[young], objects[i]
		if a.key.uid == "" || b.key.uid == "" || a.key.name != b.key.name || a.key.kind != b.key.kind ||
			a.key.namespace != b.key.namespace || a.key.group != b.key.group {
			young = i
			continue
		}
		switch age := a.meta.Created.Compare(b.meta.Created); {
		case age < 0:
			a.meta.Gone = true
			young = i
		case age > 0:
			b.meta.Gone = true
		}
	}
}

// markLacking marks what the last list of a group lacks.
func (c *Cluster) markLacking(r *retakenLists, group []*datedList, metas map[objKey]*Meta) {
	slices.SortStableFunc(group, r.compare)
	last := group[len(group)-1]
	if !last.list.whole || c.gapIn(last) {
		return
	}
	beside := r.otherObjects(last.dir, group)
	for _, s := range group[:len(group)-1] {
		if r.compare(s, last) >= 0 || !r.sameQuery(s, last) {
			continue
		}
		for key := range s.has {
			m := metas[key]
			if m != nil && !last.has[key] && versionOf(m) <= r.newestOf(last) && !beside[key] {
				m.Gone = true
			}
		}
	}
}

// gapIn reports whether the bundle's maker says of that folder that the kind could not be collected.
func (c *Cluster) gapIn(s *datedList) bool {
	kind := strings.ToLower(s.list.kind)
	return kind == "" || slices.ContainsFunc(c.Gaps, func(g Gap) bool {
		return strings.Contains(strings.ToLower(g.Text), kind)
	})
}

// versionOf is an object's resourceVersion, 0 where that is no number.
func versionOf(m *Meta) int64 {
	v, _ := parseInt([]byte(m.ResourceVersion))
	return v
}

// otherObjects is what other files of a folder than those of the lists hold.
func (r *retakenLists) otherObjects(dir string, lists []*datedList) map[objKey]bool {
	paths := map[string]bool{}
	for _, s := range lists {
		paths[s.list.path] = true
	}
	all := map[objKey]bool{}
	for _, in := range r.inputs[dir] {
		if !paths[in] {
			maps.Copy(all, r.keys[in])
		}
	}
	return all
}

// newestOf is the newest version that was there when the list was taken, as far as its folder shows.
func (r *retakenLists) newestOf(s *datedList) int64 { return max(s.newest, r.newest[s.dir]) }

// compare orders lists by when they were taken: those of one file by their place, those of one folder by their
// versions, others by the versions of their folders. 0: unknown.
func (r *retakenLists) compare(a, b *datedList) int {
	switch {
	case a.source == b.source && a.list.path == b.list.path:
		return cmp.Compare(a.list.seen, b.list.seen)
	case a.dir == b.dir:
		return cmp.Compare(a.newest, b.newest)
	}
	return cmp.Compare(r.newestOf(a), r.newestOf(b))
}

// sameQuery reports whether two lists answer one question at two times: they have objects in common or, where the later
// one is empty, their folders have.
func (r *retakenLists) sameQuery(a, b *datedList) bool {
	if len(b.has) > 0 || a.dir == b.dir {
		return haveCommon(a.has, b.has)
	}
	return haveCommon(r.otherObjects(a.dir, nil), r.otherObjects(b.dir, nil))
}

func haveCommon(a, b map[objKey]bool) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	for key := range a {
		if b[key] {
			return true
		}
	}
	return false
}

// ordinals are words by which people distinguish snapshots.
var ordinals = []string{
	"before", "after", "old", "new", "first", "second", "third", "last", "one", "two", "three", "start", "end", "then",
	"now",
	"t", "z", // of a time
}

// snapshotShape is a path without what distinguishes snapshots: numbers, times and such words, and the name of its
// first folder.
func snapshotShape(name string) string {
	name = strings.ToLower(name)
	if _, rest, ok := strings.Cut(name, "/"); ok {
		name = rest
	}
	parts := strings.Split(name, "/")
	for i, part := range parts {
		words := strings.FieldsFunc(part, func(c rune) bool { return !unicode.IsLetter(c) })
		words = slices.DeleteFunc(words, func(w string) bool { return slices.Contains(ordinals, w) })
		parts[i] = strings.Join(words, "-")
	}
	return strings.Join(parts, "/")
}
