package kube

import (
	"cmp"
	"hash/maphash"
	"slices"
)

func (r *Reader) event(n int32, line int64) {
	t := &r.tree
	obj := cmp.Or(t.get(n, "involvedObject"), t.get(n, "regarding"))
	first := func(keys ...string) int32 {
		for _, k := range keys {
			if c := t.get(n, k); len(t.text(c)) > 0 && string(t.text(c)) != "null" {
				return c
			}
		}
		return 0
	}
	e := eventSeen{Event: Event{
		At: At{Input: r.path, Line: line + int64(t.nodes[n].line)},
		Object: Ref{
			API: r.identAt(obj, "apiVersion"), Kind: r.identAt(obj, "kind"),
			Namespace: r.identAt(obj, "namespace"), Name: r.identAt(obj, "name"), UID: r.identAt(obj, "uid"),
		},
		Field: r.identAt(obj, "fieldPath"), Reason: r.identAt(n, "reason"),
		Message: r.str(most(t.text(first("message", "note")), maxMessage)),
		Type:    r.identAt(n, "type"),
		Count:   max(1, int(t.integer(first("count", "deprecatedCount"))), int(t.integer(t.at(n, "series", "count")))),
		First:   t.moment(first("firstTimestamp", "eventTime", "deprecatedFirstTimestamp")),
		Last:    t.moment(first("lastTimestamp", "deprecatedLastTimestamp")),
	}}
	e.Last = latest(latest(e.Last, e.First), t.moment(t.at(n, "series", "lastObservedTime")))
	if created := t.moment(t.at(n, "metadata", "creationTimestamp")); e.Last.IsZero() {
		e.First, e.Last = created, created
	}
	if e.First.IsZero() {
		e.First = e.Last
	}
	var h maphash.Hash
	h.SetSeed(seed)
	for _, key := range []string{"namespace", "name", "uid"} {
		_, _ = h.Write(t.text(t.at(n, "metadata", key))) // a hash never fails
		_ = h.WriteByte(0)
	}
	e.id = h.Sum64()
	if !r.store.take(400 + len(e.Message)) {
		r.countUnread("Event", "beyond the limit")
		return
	}
	r.out.newest = latest(r.out.newest, e.Last)
	r.out.events = append(r.out.events, e)
}

// mergeEvents joins Event objects by object, reason, message and field. One that is in several files counts once.
func mergeEvents(all []*Objects) []*Event {
	type key struct {
		Ref
		reason, message, field string
	}
	newest := map[uint64]eventSeen{}
	var ids []uint64
	for _, o := range all {
		for _, e := range o.events {
			old, known := newest[e.id]
			if !known {
				ids = append(ids, e.id)
			}
			if !known || e.Count > old.Count || e.Last.After(old.Last) {
				newest[e.id] = e
			}
		}
	}
	merged := map[key]*Event{}
	var list []*Event
	for _, id := range ids {
		seen := newest[id].Event
		k := key{seen.Object, seen.Reason, seen.Message, seen.Field}
		k.API = ""
		e := merged[k]
		if e == nil {
			merged[k] = &seen
			list = append(list, &seen)
			continue
		}
		e.Count += seen.Count
		e.Last = latest(e.Last, seen.Last)
		if seen.First.Before(e.First) {
			e.First = seen.First
		}
	}
	slices.SortStableFunc(list, func(a, b *Event) int {
		return cmp.Or(a.Last.Compare(b.Last), cmp.Compare(a.Object.Namespace, b.Object.Namespace),
			cmp.Compare(a.Object.Name, b.Object.Name), cmp.Compare(a.Reason, b.Reason))
	})
	return list
}
