package kube

import (
	"bytes"
	"cmp"
	"fmt"
	"github.com/gotriage/triage/internal/jsonspan"
	"io"
	"slices"
	"strings"
	"sync"
)

// A Reader reads the objects of one source: one file, or several that belong together. It is not for concurrent use.
type Reader struct {
	store  *Store
	tree   tree
	path   string
	guess  string // the kind that the path names, "" for none
	out    *Objects
	index  map[objKey]*object
	strs   map[string]string
	fields fieldHasher
	inList int // index of the list that is being read among Objects.lists, plus one; 0 for none
}

// NewReader returns a reader for one source. The store is shared by all readers of a run.
func NewReader(s *Store) *Reader {
	return &Reader{
		store: s, out: &Objects{store: s, cut: map[cutKey]int{}}, index: map[objKey]*object{},
		strs:   map[string]string{},
		fields: fieldHasher{names: map[uint64]pathName{}, words: map[uint64]string{}},
	}
}

// maxItem bounds one object's text: etcd takes 1.5 MiB by default, indentation makes up to five times of it.
const maxItem = 8 << 20

// windows are kept for the next file: a bundle has thousands, most of them shorter than one.
var windows = sync.Pool{New: func() any { b := make([]byte, 0, 64<<10); return &b }}

// Read reads a file of objects. Its error is the stream's or the JSON's; what was read before it stays.
func (r *Reader) Read(name string, stream io.Reader) error {
	r.path, r.guess = name, kindOfPath(name)
	buf := windows.Get().(*[]byte)
	w := &jsonspan.Window{R: stream, Buf: (*buf)[:0], Limit: maxItem}
	defer windows.Put(buf)
	var err error
	switch {
	case !w.Space():
		err = w.Err
	case w.Buf[w.Pos] == '{' || w.Buf[w.Pos] == '[':
		err = r.readJSON(w)
	case headsText(w.Ahead(maxTableRow)):
		err = r.readTexts(name, io.MultiReader(bytes.NewReader(w.Ahead(len(w.Buf))), w.R),
			w.Line+int64(bytes.Count(w.Buf[w.Mark:w.Pos], newline)))
	default:
		w.Pos = w.Mark
		if string(w.Ahead(3)) == "\uFEFF" {
			w.Pos += 3
		}
		err = r.readYAML(w)
	}
	if err != nil {
		return fmt.Errorf("read the Kubernetes objects of %s: %w", name, err)
	}
	return nil
}

// Close ends the source.
func (r *Reader) Close() *Objects {
	r.store.learn(r.fields.names, r.fields.words)
	o := r.out
	*r = Reader{}
	return o
}

// document takes what was parsed: an object, a list, a watch event.
func (r *Reader) document(root int32, line int64, h commonHead) {
	t := &r.tree
	switch t.nodes[root].kind {
	case seqNode:
		r.items(root, line, h)
	case mapNode:
		if items := t.get(root, "items"); items != 0 && (t.nodes[items].kind == seqNode ||
			t.get(root, "metadata") != 0 && t.get(root, "spec") == 0) {
			h := r.head(root)
			n := r.beginList(h)
			r.items(items, line, h)
			r.endList(n, h)
			return
		}
		if obj := t.get(root, "object"); obj != 0 && t.nodes[obj].kind == mapNode && t.get(root, "type") != 0 &&
			t.get(root, "metadata") == 0 {
			kind := string(t.text(t.get(root, "type")))
			if kind != "BOOKMARK" && kind != "ERROR" {
				r.object(obj, line, h, kind == "DELETED")
			}
			return
		}
		r.object(root, line, h, false)
	}
}

func (r *Reader) items(n int32, line int64, h commonHead) {
	for c := r.tree.nodes[n].child; c != 0; c = r.tree.nodes[c].next {
		r.object(c, line, h, false)
	}
}

func (r *Reader) object(n int32, line int64, h commonHead, gone bool) {
	t := &r.tree
	meta := t.get(n, "metadata")
	api, kind := r.identAt(n, "apiVersion"), r.identAt(n, "kind")
	if kind == "" {
		kind, api = h.item(), h.api
		if kind == "" {
			kind = r.shape(n)
		}
		api = cmp.Or(api, apiOf(kind))
	}
	name := t.text(t.get(meta, "name"))
	if kind == "" || len(name) == 0 {
		return // a value that is no object
	}
	r.out.seen++
	if g := group(api); kind == "Event" && (g == "" || g == "events.k8s.io") {
		r.event(n, line)
		return
	}
	m := r.meta(n, meta, line)
	m.API, m.Kind, m.Gone = api, kind, gone
	if kind == "Pod" || kind == "Node" || r.store.Labels {
		m.Labels = r.pairs(r.tree.get(meta, "labels"))
	}
	if r.store.Labels {
		m.Annotations = r.pairs(r.tree.get(meta, "annotations"))
	}
	m.Needs = r.needs(n, &m)
	r.addVersion(n, r.record(n, line, m))
}

// record makes the record of an object. Other groups have kinds of the same names: Longhorn's Node is no node.
func (r *Reader) record(n int32, line int64, m Meta) *object {
	t, key := &r.tree, keyOf(&m)
	var rec objectRecord
	switch g := key.group; {
	case slices.Contains(workloads, m.Kind) &&
		(g == "" || g == "apps" || g == "batch" || g == "extensions" || g == "apps.openshift.io"):
		rec = r.workload(n, line, m)
	case m.Kind == "Pod" && g == "":
		rec = r.pod(n, line, m)
	case m.Kind == "Node" && g == "":
		rec = r.taints(n, &Node{
			Meta: m, Allocatable: r.pairs(t.at(n, "status", "allocatable")),
			Unschedulable: t.isTrue(t.at(n, "spec", "unschedulable")),
			Kubelet:       r.identAt(n, "status", "nodeInfo", "kubeletVersion"),
		})
	case m.Kind == "PersistentVolumeClaim" && g == "":
		rec = &Claim{Meta: m, Volume: r.identAt(n, "spec", "volumeName"),
			Class: r.identAt(n, "spec", "storageClassName")}
	case m.Kind == "StorageClass" && g == "storage.k8s.io":
		rec = &StorageClass{Meta: m, Provisioner: r.identAt(n, "provisioner"),
			WaitForFirst: r.identAt(n, "volumeBindingMode") == "WaitForFirstConsumer"}
	case m.Kind == "Namespace" && g == "":
		rec = r.namespace(n, m)
	case m.Kind == "Lease" && g == "coordination.k8s.io":
		rec = r.lease(n, line, m)
	case m.Kind == "PodDisruptionBudget" && g == "policy":
		rec = r.budget(n, m)
	case m.Kind == "HorizontalPodAutoscaler" && g == "autoscaling":
		rec = r.scaler(n, m)
	case m.Kind == "Service" && g == "":
		spec := t.get(n, "spec")
		svc := &Service{Meta: m, Selector: r.pairs(t.get(spec, "selector")), Type: r.identAt(spec, "type")}
		if r.identAt(spec, "clusterIP") != "None" {
			t.each(t.get(spec, "ports"), maxPairs, func(e int32) {
				svc.Targets = append(svc.Targets, cmp.Or(r.identAt(e, "targetPort"), r.identAt(e, "port")))
			})
		}
		rec = svc
	default:
		o := &Other{Meta: m}
		if strings.HasSuffix(m.Kind, "WebhookConfiguration") {
			t.each(t.get(n, "webhooks"), maxPairs, func(e int32) {
				o.Webhooks = append(o.Webhooks, r.identAt(e, "name"))
			})
		}
		rec = o
	}
	return &object{key: key, rec: rec, meta: rec.self()}
}

// addVersion keeps an object, or holds it against the version that is there.
func (r *Reader) addVersion(n int32, o *object) {
	if p, ok := o.rec.(*Pod); !slices.Contains(uncompared, o.key.kind) && !(ok &&
		(p.Phase == "Failed" || p.Phase == "Succeeded")) { // they are not written any more
		o.fields = r.fields.of(&r.tree, n)
	}
	r.out.newest = latest(r.out.newest, o.meta.Written)
	if l, ok := o.rec.(*Lease); ok {
		r.out.newest = latest(r.out.newest, l.Renewed)
	}
	old := r.index[o.key]
	if old == nil {
		if !r.store.take(o.size()) {
			r.countUnread(o.key.kind, "beyond the limit")
			return
		}
		r.index[o.key] = o
		r.out.objects = append(r.out.objects, o)
		r.tails(o)
		r.noteListed(o)
		return
	}
	old.addVersion(o, r.store, r.fields.names)
	r.noteListed(old)
}

// noteListed notes that an object is in the list that is being read.
func (r *Reader) noteListed(o *object) {
	if r.inList > 0 {
		l := &r.out.lists[r.inList-1]
		l.members = append(l.members, o)
	}
}

// countUnread counts an object that was not kept, or not whole.
func (r *Reader) countUnread(kind, reason string) {
	const most = 1000 // distinct kinds and reasons of one source
	key := cutKey{strings.Clone(kind), reason}
	if _, known := r.out.cut[key]; known || len(r.out.cut) < most {
		r.out.cut[key]++
	}
}

func (r *Reader) beginList(h commonHead) int {
	const most = 10_000 // lists of one source
	if len(r.out.lists) == most {
		r.out.lists[most-1].version = -1 // of several: what it lacks says nothing
		return most - 1
	}
	r.out.lists = append(r.out.lists, list{kind: cmp.Or(h.item(), r.guess), path: r.path, seen: r.out.seen})
	r.inList = len(r.out.lists)
	return r.inList - 1
}

// endList ends a list that was read to its end; h is what its own fields say.
func (r *Reader) endList(i int, h commonHead) {
	r.inList = 0
	l := &r.out.lists[i]
	l.whole, l.version = !h.page && l.version == 0, h.version
	if l.kind = cmp.Or(l.kind, r.guess); l.kind == "" && len(l.members) > 0 {
		l.kind = l.members[0].key.kind
	}
}

// str copies b, once for each text of a source that is short or comes again.
func (r *Reader) str(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if s, ok := r.strs[string(b)]; ok {
		return s
	}
	s := string(b)
	if len(r.strs) < 1<<14 && len(s) < 512 {
		r.strs[s] = s
	}
	return s
}

// word is str for fields in which the support-bundle-kit writes nothing as "null".
func (r *Reader) word(b []byte) string {
	if string(b) == "null" {
		return ""
	}
	return r.str(b)
}

// ident is word for names and other short texts: what is longer than any may be is cut.
func (r *Reader) ident(b []byte) string { return r.word(most(b, maxIdent)) }

// identAt is the ident that the keys lead to from n.
func (r *Reader) identAt(n int32, keys ...string) string {
	return r.ident(r.tree.text(r.tree.at(n, keys...)))
}

func (r *Reader) messageOf(n int32) string {
	return r.word(most(r.tree.text(r.tree.get(n, "message")), maxMessage))
}

func (r *Reader) shape(n int32) string {
	t := &r.tree
	spec := t.get(n, "spec")
	switch {
	case t.get(n, "involvedObject") != 0:
		return "Event"
	case t.at(spec, "containers") != 0:
		return "Pod"
	case t.at(n, "status", "nodeInfo") != 0:
		return "Node"
	case r.guess == "Pod" || r.guess == "Event" || r.guess == "Node":
		return "" // the path names it, and the shape differs
	}
	return r.guess
}
