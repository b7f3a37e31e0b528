package audit

type readKey struct {
	actor           int32
	verb            Verb
	group, resource int32
}

type answerKey struct {
	readKey
	code int
}

type slowKey struct {
	verb            Verb
	group, resource int32
}

// A tally holds what is counted by one key, each key's entry once, in order of their coming; maxReads of them at most.
type tally[K comparable, V any] struct {
	list []V
	at   map[K]int32
}

// of returns the key's entry and whether it is new, for the caller to fill in; nil where the tally is full.
func (t *tally[K, V]) of(k K) (entry *V, fresh bool) {
	if i, ok := t.at[k]; ok {
		return &t.list[i], false
	}
	if len(t.list) >= maxReads {
		return nil, false
	}
	if t.at == nil {
		t.at = map[K]int32{}
	}
	t.at[k] = int32(len(t.list))
	t.list = append(t.list, *new(V))
	return &t.list[len(t.list)-1], true
}

// earlier is the smaller of two times of which 0 is none.
func earlier(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}
