package audit

import (
	"hash/maphash"
	"math"
	"slices"
	"strings"
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

// tables hold what is distinct, each thing once, with an index. Index 0 of owners, changes and texts is none.
type tables struct {
	seed    maphash.Seed
	actors  []Actor
	objects []Object
	owners  []Owner
	changes []ChangeSet
	texts   []string
	sets    []Set

	actorAt, objectAt, ownerAt, changeAt, setAt map[uint64]int32
	textAt                                      map[string]int32
	key                                         []byte // scratch
	full                                        bool   // something was left out
	setsKept                                    bool   // forgetting rare fields makes no room any more
}

func newTables() *tables {
	return &tables{
		seed:    maphash.MakeSeed(),
		owners:  make([]Owner, 1),
		changes: make([]ChangeSet, 1),
		texts:   make([]string, 1),
		actorAt: map[uint64]int32{}, objectAt: map[uint64]int32{}, ownerAt: map[uint64]int32{},
		changeAt: map[uint64]int32{}, setAt: map[uint64]int32{}, textAt: map[string]int32{},
	}
}

// lookup finds a key's index; equal detects collisions. -1 and the free slot's hash where it isn't there.
func lookup(at map[uint64]int32, h uint64, equal func(i int32) bool) (index int32, slot uint64) {
	for {
		i, ok := at[h]
		if !ok {
			return -1, h
		}
		if equal(i) {
			return i, h
		}
		h++
	}
}

func (t *tables) begin(parts ...[]byte) []byte {
	k := t.key[:0]
	for _, p := range parts {
		k = append(append(k, p...), 0)
	}
	t.key = k
	return k
}

// text interns a string; index 0 is the empty one, and all that come when the table is full.
func (t *tables) text(s []byte) int32 {
	if len(s) == 0 {
		return 0
	}
	s = s[:min(len(s), maxText)]
	if i, ok := t.textAt[string(s)]; ok {
		return i
	}
	if len(t.texts) >= maxTexts {
		t.full = true
		return 0
	}
	i := int32(len(t.texts))
	str := string(s)
	t.texts = append(t.texts, str)
	t.textAt[str] = i
	return i
}

// word is text for strings in other tables: kept once as long as there is room.
func (t *tables) word(s []byte) string {
	if i := t.text(s); i != 0 || len(s) == 0 {
		return t.texts[i]
	}
	return clip(s)
}

// intern finds in list what equal accepts, or appends what fresh makes; -1 where the list is full.
func intern[V any](
	t *tables, list *[]V, at map[uint64]int32, most int, h uint64, equal func(v *V) bool, fresh func() V,
) int32 {
	i, h := lookup(at, h, func(i int32) bool { return equal(&(*list)[i]) })
	if i >= 0 {
		return i
	}
	if len(*list) >= most {
		t.full = true
		return -1
	}
	i = int32(len(*list))
	*list = append(*list, fresh())
	at[h] = i
	return i
}

// actor interns who asked; -1 when the table is full.
func (t *tables) actor(user, impersonated, agent []byte) int32 {
	h := maphash.Bytes(t.seed, t.begin(user, impersonated, agent))
	return intern(t, &t.actors, t.actorAt, maxActors, h, func(a *Actor) bool {
		return same(a.User, user) && same(a.Impersonated, impersonated) && same(a.Agent, agent)
	}, func() Actor { return Actor{User: clip(user), Impersonated: clip(impersonated), Agent: clip(agent)} })
}

func clip(s []byte) string { return string(s[:min(len(s), maxText)]) }

func same(kept string, s []byte) bool { return kept == string(s[:min(len(s), maxText)]) }

// object interns what a request is about; -1 when the table is full.
func (t *tables) object(group, resource, namespace, name []byte) int32 {
	h := maphash.Bytes(t.seed, t.begin(group, resource, namespace, name))
	return intern(t, &t.objects, t.objectAt, maxObjects, h, func(o *Object) bool {
		return same(o.Name, name) && same(o.Namespace, namespace) && same(o.Resource, resource) && same(o.Group, group)
	}, func() Object {
		return Object{Group: t.word(group), Resource: t.word(resource), Namespace: t.word(namespace), Name: clip(name)}
	})
}

// owner interns a controller; 0 for none, and when the table is full.
func (t *tables) owner(o ownerRef) int32 {
	if len(o.kind) == 0 {
		return 0
	}
	h := maphash.Bytes(t.seed, t.begin(o.api, o.kind, o.name, o.uid))
	return max(0, intern(t, &t.owners, t.ownerAt, maxOwners, h, func(p *Owner) bool {
		return same(p.UID, o.uid) && same(p.Name, o.name) && same(p.Kind, o.kind) && same(p.API, o.api)
	}, func() Owner {
		return Owner{API: t.word(o.api), Kind: t.word(o.kind), Name: clip(o.name), UID: clip(o.uid)}
	}))
}

// change interns which fields were changed; 0 when the table is full.
func (t *tables) change(c ChangeSet) int32 {
	k := t.key[:0]
	for _, p := range c.Paths {
		k = append(append(k, p...), 0)
	}
	t.key = append(k, byte(c.More), byte(c.More>>8), flag(c.TimeOnly), flag(c.Nothing))
	equal := func(o *ChangeSet) bool {
		return slices.Equal(c.Paths, o.Paths) && c.More == o.More && c.TimeOnly == o.TimeOnly && c.Nothing == o.Nothing
	}
	h := maphash.Bytes(t.seed, t.key)
	return max(0, intern(t, &t.changes, t.changeAt, maxChanges, h, equal, func() ChangeSet { return c }))
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}

func (t *tables) set(object, actor int32, path, value string, n int64) {
	equal := func(i int32) bool { return t.sets[i].is(object, actor, path) }
	i, h := lookup(t.setAt, t.setHash(object, actor, path), equal)
	if i < 0 {
		if len(t.sets) >= maxSets && !t.dropSets() {
			t.full = true
			return
		}
		_, h = lookup(t.setAt, h, equal)
		i = int32(len(t.sets))
		t.sets = append(t.sets, Set{Object: object, Actor: actor, Path: strings.Clone(path), Time: true})
		t.setAt[h] = i
	}
	t.sets[i].add(value, n)
}

// rareSet is how often at least a field must have been set to be kept when there are too many.
const rareSet = 3

// dropSets makes room by forgetting fields that were set rarely; false when that doesn't help.
func (t *tables) dropSets() bool {
	if t.setsKept {
		return false
	}
	kept := t.sets[:0]
	clear(t.setAt)
	for _, s := range t.sets {
		if s.Count >= rareSet {
			kept = append(kept, s)
		}
	}
	clear(t.sets[len(kept):])
	t.sets = kept
	for i := range t.sets {
		_, h := lookup(t.setAt, t.setHash(t.sets[i].Object, t.sets[i].Actor, t.sets[i].Path),
			func(int32) bool { return false })
		t.setAt[h] = int32(i)
	}
	t.setsKept = len(kept) > maxSets/4*3
	return !t.setsKept
}

func (t *tables) setHash(object, actor int32, path string) uint64 {
	k := append(append(append(t.key[:0], byte(object), byte(object>>8), byte(object>>16), byte(object>>24)),
		byte(actor), byte(actor>>8), byte(actor>>16), byte(actor>>24)), path...)
	t.key = k
	return maphash.Bytes(t.seed, k)
}

func (s *Set) is(object, actor int32, path string) bool {
	return s.Object == object && s.Actor == actor && s.Path == path
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
	equal := func(i int32) bool { return t.sets[i].is(object, actor, path) }
	i, _ := lookup(t.setAt, t.setHash(object, actor, path), equal)
	if i >= 0 {
		t.sets[i].Count += n
		t.sets[i].Others += n
	}
}

// narrow is a text's index where it fits; there are a dozen subresources, and they come early.
func narrow(text int32) uint16 {
	if text > math.MaxUint16 {
		return 0
	}
	return uint16(text)
}
