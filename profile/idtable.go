package profile

// An idTable maps ids to numbers. The runtime counts ids from 1, others use addresses.
type idTable struct {
	dense  []int32 // number + 1, by id
	sparse map[uint64]int32
}

func newIDTable(n int) idTable { return idTable{dense: make([]int32, n+1)} }

func (t *idTable) get(id uint64) (int32, bool) {
	if id < uint64(len(t.dense)) {
		i := t.dense[id]
		return i - 1, i != 0
	}
	i, ok := t.sparse[id]
	return i, ok
}

func (t *idTable) set(id uint64, number int32) {
	if id < uint64(len(t.dense)) {
		t.dense[id] = number + 1
		return
	}
	if t.sparse == nil {
		t.sparse = map[uint64]int32{}
	}
	t.sparse[id] = number
}
