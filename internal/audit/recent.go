package audit

// recentEvents remembers the hashes of the last events: a table that forgets whatever another hash replaces. It finds
// the duplicates of a rotated file that was copied twice, in 8 MiB at most.
type recentEvents struct {
	slots []uint64
	n     int
}

const (
	firstSlots = 1 << 12
	maxSlots   = 1 << 20
)

func (r *recentEvents) add(h uint64) bool {
	if h == 0 {
		return false
	}
	if r.n*2 >= len(r.slots) && len(r.slots) < maxSlots {
		r.grow()
	}
	slot := &r.slots[h&uint64(len(r.slots)-1)]
	if *slot == h {
		return true
	}
	if *slot == 0 {
		r.n++
	}
	*slot = h
	return false
}

func (r *recentEvents) grow() {
	old := r.slots
	r.slots = make([]uint64, max(firstSlots, 4*len(old)))
	for _, h := range old {
		if h != 0 {
			r.slots[h&uint64(len(r.slots)-1)] = h
		}
	}
}

// hashID hashes an event's identity (FNV-1a with a final mix, so that the low bits can be a table's index); equal in
// all sources. 0 is no identity.
func hashID(id, stage []byte) uint64 {
	if len(id) == 0 {
		return 0
	}
	h := uint64(14695981039346656037)
	for _, c := range id {
		h = (h ^ uint64(c)) * 1099511628211
	}
	if len(stage) > 8 { // RequestReceived, ResponseStarted, ResponseComplete: their tails differ
		for _, c := range stage[8:] {
			h = (h ^ uint64(c)) * 1099511628211
		}
	}
	h ^= h >> 32
	h *= 0x9e3779b97f4a7c15
	h ^= h >> 29
	return max(h, 1)
}

// HashOf is the hash of a uid, as Write.UID.
func HashOf(uid string) uint64 { return hashID([]byte(uid), nil) }
