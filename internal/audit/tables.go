package audit

import (
	"math"
	"slices"
	"strconv"
)

// Bounds on what grows with what is distinct. A cluster of 5,000 nodes (the project's tested limit) has some 10,000
// users; objects written in a log of 1 GB are some tens of thousands, more only in a storm.
const (
	maxActors  = 20_000
	maxObjects = 150_000
	maxOwners  = 50_000
	maxTexts   = 100_000
	maxChanges = 20_000
	maxSets    = 20_000
	maxValues  = 4
	maxReads   = 20_000
	// maxText bounds one kept string: names are at most 253 bytes, user agents are the client's to choose.
	maxText = 512
)

// A tally holds what is distinct by one key, each key's entry once, in order of their coming; most of them at most.
// Callers look up at themselves where the key is made of bytes: such a lookup costs no allocation.
type tally[K comparable, V any] struct {
	list []V
	at   map[K]int32
	most int
	full *bool // set where an entry found no room
}

func newTally[K comparable, V any](most int, full *bool) tally[K, V] {
	return tally[K, V]{at: map[K]int32{}, most: most, full: full}
}

// index returns the key's index, that of v where the key is new; -1 where the tally is full.
func (t *tally[K, V]) index(k K, v V) int32 {
	i, ok := t.at[k]
	switch {
	case ok:
		return i
	case len(t.list) >= t.most:
		*t.full = true
		return -1
	}
	i = int32(len(t.list))
	t.list = append(t.list, v)
	t.at[k] = i
	return i
}

// of returns the key's entry, an empty one where the key is new; nil where the tally is full.
func (t *tally[K, V]) of(k K) *V {
	i, ok := t.at[k]
	if !ok {
		i = t.index(k, *new(V))
	}
	if i < 0 {
		return nil
	}
	return &t.list[i]
}

// earlier is the smaller of two times of which 0 is none.
func earlier(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

type (
	actorKey  struct{ user, impersonated, agent string }
	objectKey struct{ group, resource, namespace, name string }
	setKey    struct {
		object, actor int32
		path          string
	}
	answerKey struct {
		ActorRequest
		code int
	}
)

// tables hold what is distinct, each thing once, with an index. Index 0 of owners, changes and texts is none.
type tables struct {
	actors  tally[actorKey, Actor]
	objects tally[objectKey, Object]
	owners  tally[Owner, Owner]
	changes tally[string, ChangeSet]
	texts   tally[string, string]
	sets    tally[setKey, Set]
	reads   tally[ActorRequest, Read]
	answers tally[answerKey, Answer]

	refusals tally[refusalKey, Refusal]

	key      []byte // scratch
	full     bool   // something was left out
	setsKept bool   // forgetting rare fields makes no room any more
}

func newTables() *tables {
	t := &tables{}
	t.actors = newTally[actorKey, Actor](maxActors, &t.full)
	t.objects = newTally[objectKey, Object](maxObjects, &t.full)
	t.owners = newTally[Owner, Owner](maxOwners, &t.full)
	t.changes = newTally[string, ChangeSet](maxChanges, &t.full)
	t.texts = newTally[string, string](maxTexts, &t.full)
	t.sets = newTally[setKey, Set](maxSets, &t.full)
	t.reads = newTally[ActorRequest, Read](maxReads, &t.full)
	t.answers = newTally[answerKey, Answer](maxReads, &t.full)
	t.refusals = newTally[refusalKey, Refusal](maxReads, &t.full)
	t.owners.of(Owner{})
	t.changes.of("")
	t.texts.of("")
	return t
}

// text interns a string; index 0 is the empty one, and all that come when the table is full.
func (t *tables) text(s []byte) int32 {
	s = s[:min(len(s), maxText)]
	if i, ok := t.texts.at[string(s)]; ok {
		return i
	}
	str := string(s)
	return max(0, t.texts.index(str, str))
}

// word is text for strings in other tables: kept once as long as there is room.
func (t *tables) word(s []byte) string {
	if i := t.text(s); i != 0 {
		return t.texts.list[i]
	}
	return Clip(s)
}

// actor interns who asked; -1 when the table is full.
func (t *tables) actor(user, impersonated, agent []byte) int32 {
	if i, ok := t.actors.at[actorKey{string(user), string(impersonated), string(agent)}]; ok {
		return i
	}
	k := actorKey{Clip(user), Clip(impersonated), Clip(agent)}
	return t.actors.index(k, Actor{User: k.user, Impersonated: k.impersonated, Agent: k.agent})
}

// Clip is a text on its own, cut where it is too long to be kept.
func Clip(s []byte) string { return string(s[:min(len(s), maxText)]) }

// object interns what a request is about; -1 when the table is full.
func (t *tables) object(group, resource, namespace, name []byte) int32 {
	if i, ok := t.objects.at[objectKey{string(group), string(resource), string(namespace), string(name)}]; ok {
		return i
	}
	k := objectKey{t.word(group), t.word(resource), t.word(namespace), Clip(name)}
	return t.objects.index(k, Object{Group: k.group, Resource: k.resource, Namespace: k.namespace, Name: k.name})
}

// owner interns a controller; 0 for none, and when the table is full.
func (t *tables) owner(o ownerRef) int32 {
	if len(o.kind) == 0 {
		return 0
	}
	if i, ok := t.owners.at[Owner{string(o.api), string(o.kind), string(o.name), string(o.uid)}]; ok {
		return i
	}
	k := Owner{API: t.word(o.api), Kind: t.word(o.kind), Name: Clip(o.name), UID: Clip(o.uid)}
	return max(0, t.owners.index(k, k))
}

// change interns which fields were changed; 0 when the table is full.
func (t *tables) change(c ChangeSet) int32 {
	k := t.key[:0]
	for _, p := range c.Paths {
		k = append(append(k, p...), 0)
	}
	t.key = append(strconv.AppendInt(k, int64(c.More), 10), flag(c.TimeOnly), flag(c.Nothing))
	if i, ok := t.changes.at[string(t.key)]; ok {
		return i
	}
	return max(0, t.changes.index(string(t.key), c))
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// rareSet is how often at least a field must have been set to be kept when there are too many.
const rareSet = 3

func (t *tables) set(object, actor int32, path, value string, n int64) {
	k := setKey{object, actor, path}
	if _, known := t.sets.at[k]; !known && len(t.sets.list) >= maxSets && !t.setsKept {
		t.sets.list = slices.DeleteFunc(t.sets.list, func(s Set) bool { return s.Count < rareSet })
		t.setsKept = len(t.sets.list) > maxSets/4*3
		clear(t.sets.at)
		for i, s := range t.sets.list {
			t.sets.at[setKey{s.Object, s.Actor, s.Path}] = int32(i)
		}
	}
	if i := t.sets.index(k, Set{Object: object, Actor: actor, Path: path, Time: true}); i >= 0 {
		t.sets.list[i].add(value, n)
	}
}

func (s *Set) add(value string, n int64) {
	s.Count += n
	s.Time = s.Time && isTimestamp(value)
	for i := range s.Values {
		if s.Values[i].Text == value {
			s.Values[i].N += n
			return
		}
	}
	if len(s.Values) == maxValues {
		s.Others += n
		return
	}
	s.Values = append(s.Values, Value{Text: value, N: n})
}

// setOthers counts writes of values that are not kept one by one.
func (t *tables) setOthers(object, actor int32, path string, n int64) {
	if i, ok := t.sets.at[setKey{object, actor, path}]; ok {
		t.sets.list[i].Count += n
		t.sets.list[i].Others += n
	}
}

// narrow is a text's index where it fits; there are a dozen subresources, and they come early.
func narrow(text int32) uint16 {
	if text > math.MaxUint16 {
		return 0
	}
	return uint16(text)
}
