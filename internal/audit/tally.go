package audit

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
