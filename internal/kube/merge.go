package kube

import (
	"cmp"
	"slices"
	"time"
)

// Merge puts the sources' objects together, in their order. It uses them up.
func Merge(all []*Objects) *Cluster {
	all = slices.DeleteFunc(slices.Clone(all), func(o *Objects) bool { return o == nil })
	c := &Cluster{listed: map[kindKey]bool{}, named: map[kindKey]objectRecord{}, events: map[kindKey][]*Event{}}
	c.mergeNotes(all)
	c.Events = mergeEvents(all)
	var newest time.Time
	cuts := map[cutKey]int{}
	for _, o := range all {
		newest = latest(newest, o.newest)
		for k, n := range o.cut {
			cuts[k] += n
		}
		c.Tails = append(c.Tails, o.tails...)
		c.Usages = append(c.Usages, o.usages...)
	}
	c.Time = c.Bundle.Created
	if c.Time.IsZero() {
		c.Time = newest
	}
	first := len(c.Cut)
	for k, n := range cuts {
		c.Cut = append(c.Cut, Cut{Kind: k.kind, Reason: k.reason, Count: n})
	}
	slices.SortFunc(c.Cut[first:], func(a, b Cut) int {
		return cmp.Or(b.Count-a.Count, cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Reason, b.Reason))
	})
	c.clocks(all)
	retaken := retakenOf(all)
	objects := mergeObjects(all)
	slices.SortStableFunc(objects, byName)
	if several := clusters(objects); len(several) > 1 {
		c.remarkClusters(several)
	} else {
		markReplaced(objects)
		c.markAbsent(retaken, objects)
	}
	for _, o := range objects {
		o.meta.History = o.history(o.store)
		c.add(o.rec)
	}
	for _, e := range c.Events {
		k := kindKey{e.Object.Kind, e.Object.Namespace, e.Object.Name}
		c.events[k] = append(c.events[k], e)
	}
	c.Count = len(objects) + len(c.Events)
	c.Bundle.Kubernetes = cmp.Or(c.Bundle.Kubernetes, c.kubelets())
	c.list(all)
	c.dropCopies()
	return c
}

// kubelets is the version of all kubelets, "" where they differ.
func (c *Cluster) kubelets() string {
	version := ""
	for i, n := range c.Nodes {
		if i > 0 && n.Kubelet != version {
			return ""
		}
		version = n.Kubelet
	}
	return version
}

// mergedObject is an object with the store that its names are in.
type mergedObject struct {
	*object
	store *Store
}

func mergeObjects(all []*Objects) []mergedObject {
	index := map[objKey][]mergedObject{}
	var keys []objKey
	for _, o := range all {
		for _, v := range o.objects {
			if index[v.key] == nil {
				keys = append(keys, v.key)
			}
			index[v.key] = append(index[v.key], mergedObject{v, o.store})
		}
	}
	list := make([]mergedObject, 0, len(keys))
	for _, k := range keys {
		versions := index[k]
		slices.SortStableFunc(versions, func(a, b mergedObject) int { return compareAge(a.object, b.object) })
		o := versions[0]
		for _, next := range versions[1:] {
			switch {
			case next.store != o.store: // hashes of another run mean nothing here
			case next.past != nil && (o.past == nil || o.past.versions < next.past.versions):
				o = next // one source saw most of its versions
			default:
				o.addVersion(next.object, o.store, o.store.names)
			}
		}
		list = append(list, o)
	}
	return list
}

// add files an object under its kind and in the tables that look objects up.
func (c *Cluster) add(rec objectRecord) {
	if addToList(&c.Others, rec) {
		return
	}
	_ = addToList(&c.Pods, rec) || addToList(&c.Workloads, rec) || addToList(&c.Nodes, rec) ||
		addToList(&c.Claims, rec) || addToList(&c.Classes, rec) || addToList(&c.Namespaces, rec) ||
		addToList(&c.Leases, rec) || addToList(&c.Budgets, rec) ||
		addToList(&c.Scalers, rec) || addToList(&c.Services, rec)
	m := rec.self()
	k := kindKey{m.Kind, m.Namespace, m.Name}
	if m.Kind == "Node" || m.Kind == "StorageClass" {
		k.namespace = "" // whatever is written there
	}
	// Of two with one name the younger counts.
	if old, ok := c.named[k]; !ok || old.self().Gone || !m.Gone && !m.Created.Before(old.self().Created) {
		c.named[k] = rec
	}
}

// addToList adds an object to the list of its type.
func addToList[T objectRecord](list *[]T, rec objectRecord) bool {
	v, ok := rec.(T)
	if ok {
		*list = append(*list, v)
	}
	return ok
}

func byName(x, y mergedObject) int {
	a, b := x.meta, y.meta
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name),
		cmp.Compare(a.UID, b.UID))
}

func (c *Cluster) list(all []*Objects) {
	spaces := map[string]bool{}
	for _, n := range c.Namespaces {
		spaces[n.Name] = true
	}
	for _, p := range c.Pods {
		spaces[p.Namespace] = true
	}
	for _, o := range all {
		for _, l := range o.lists {
			names := l.namespaces()
			switch {
			case l.kind == "":
				continue
			case len(names) > 1:
				names = append(names, everywhere)
			case len(names) == 0:
				names = slices.DeleteFunc(pathParts(l.path), func(part string) bool { return !spaces[part] })
			}
			for _, ns := range names {
				c.listed[kindKey{l.kind, ns, ""}] = true
			}
		}
	}
}

// dropCopies leaves one of the tails that several files of a bundle contain.
func (c *Cluster) dropCopies() {
	seen := map[Tail]bool{}
	c.Tails = slices.DeleteFunc(c.Tails, func(t Tail) bool {
		k := Tail{Namespace: t.Namespace, Pod: t.Pod, Container: t.Container, Text: t.Text}
		copied := seen[k]
		seen[k] = true
		return copied
	})
}
