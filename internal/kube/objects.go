package kube

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// bundleNotes are what the text files of a bundle contain about it.
type bundleNotes struct {
	bundle Bundle
	// stamp is the newest time of a must-gather's `timestamp` files, for bundles without another.
	stamp   time.Time
	gaps    []Gap
	remarks []Gap // on tables
	more    int   // gaps that were not kept
}

// An eventSeen is one Event object.
type eventSeen struct {
	Event
	id uint64 // identifies the Event object
}

// maxFieldsOf bounds the fields of one object that are compared; a large Deployment has 600.
const maxFieldsOf = 20_000

// A field is a leaf of an object: the hash of its path, and its value or a hash of it; the low two bits are its type.
type field struct{ path, value uint64 }

// pastVersions are what is known of the versions of an object before the newest.
type pastVersions struct {
	store    *Store
	versions int // the newest included
	firstAt  At
	firstRV  string
	firstGen int64 // metadata.generation
	from     time.Time
	changes  map[uint64]*change
	moves    int // steps in which nothing but times and the order of lists differed
	writers  map[string]int
	adopted  []Adoption
}

// A change counts how often a field differed from the version before.
type change struct {
	n, flips   int
	as         [fieldKinds]int // of n, by what the values looked like
	prev, last uint64          // its newest two values
	by         map[string]int  // managers with an entry that moved in the same step
	from, to   time.Time       // of the versions in which it differed
	alone      int             // of n, those where nothing but times and such fields differed
	first      uint64          // its first value
	known      bool            // prev is one
}

// An objectRecord is a record: each embeds its Meta.
type objectRecord interface{ self() *Meta }

func (m *Meta) self() *Meta { return m }

// everywhere means all namespaces.
const everywhere = "*"

// An Objects is what one source holds. Merge puts them together.
type Objects struct {
	store   *Store
	objects []*object
	events  []eventSeen
	lists   []list
	tails   []Tail
	printed []printedRow // by kubectl, until Merge makes objects of it
	usages  []Usage
	cut     map[cutKey]int
	notes   bundleNotes
	newest  time.Time
	seen    int
}

// Time is when the objects were collected: the bundle's time, else the newest time in any; zero where unknown.
func (o *Objects) Time() time.Time {
	if o == nil {
		return time.Time{}
	}
	return cmp.Or(o.notes.bundle.Created, o.notes.stamp, o.newest)
}

// An object is the newest version of an object that was seen, with what compares it with others.
type object struct {
	key    objKey
	rec    objectRecord // *Pod, *Workload, *Node …
	meta   *Meta        // of rec
	fields []field
	past   *pastVersions // the versions before; nil for one version
}

// An objKey identifies an object: one that was deleted and made again is another.
type objKey struct{ group, kind, namespace, name, uid string }

type cutKey struct{ kind, reason string }

// A list is a list that a file holds; an empty one means that there are no such objects.
type list struct {
	kind    string
	path    string
	seen    int       // Objects.seen when it began
	version int64     // resourceVersion of the list itself, 0 where it has none
	whole   bool      // it was read to its end, and is no page of a longer one
	members []*object // of the source
}

// namespaces are those of its objects, as many as show whether there are several.
func (l *list) namespaces() (all []string) {
	for _, o := range l.members {
		if ns := o.key.namespace; o.key.kind == l.kind && len(all) < 2 && !slices.Contains(all, ns) {
			all = append(all, ns)
		}
	}
	return all
}

func keyOf(m *Meta) objKey {
	return objKey{group: group(m.API), kind: m.Kind, namespace: m.Namespace, name: m.Name, uid: m.UID}
}

// A commonHead is what a list has in common for its items.
type commonHead struct {
	api, kind string
	version   int64 // metadata.resourceVersion, 0 for none
	page      bool  // metadata says that the list goes on (continue, remainingItemCount)
}

// item is the kind of a list's items: "Pod" for "PodList".
func (h commonHead) item() string {
	if k, ok := strings.CutSuffix(h.kind, "List"); ok {
		return k
	}
	return ""
}
