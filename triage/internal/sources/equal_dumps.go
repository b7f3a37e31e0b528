package sources

import (
	"hash/maphash"

	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/triage/internal/identity"
)

// Bounds on the dumps that are kept of one source. A recovered panic or a race report comes again with every request,
// so a log holds it 100,000 times: what is kept follows what is distinct.
const (
	// maxDistinct is how many dumps of one source are kept. Chosen: a controller that prints all its goroutines every
	// ten seconds for a day makes 8,640.
	maxDistinct = 10_000
	// maxTexts is how many different texts one stack is kept with (`panic: no user "bob"`, `panic: no user "eve"`);
	// later ones count to the first. Chosen: more than a reader needs.
	maxTexts = 100
)

// A dumpKeeper merges the equal small dumps of one source.
type dumpKeeper struct {
	max    int
	stacks *stackparse.Budget // for the stacks of all that are kept
	seed   maphash.Seed
	dumps  []Dump
	cut    int              // dumps that were not kept
	byKey  map[uint64]int   // stack and text → index into dumps
	texts  map[uint64]texts // stack → its texts
}

type texts struct {
	first int // index into dumpKeeper.dumps of the first
	n     int
}

func newDumpKeeper(limit int) *dumpKeeper {
	// A seeded hash: nobody can write a log whose different panics count as one.
	return &dumpKeeper{max: limit, stacks: &stackparse.Budget{}, seed: maphash.MakeSeed(), byKey: map[uint64]int{},
		texts: map[uint64]texts{}}
}

// add keeps d, or counts it to the equal dump that was kept before.
func (c *dumpKeeper) add(d *stackparse.Dump, stream int32) {
	d.Seen = max(d.Seen, 1)
	if d.LastLine == 0 {
		d.LastLine = d.Line
	}
	if d.Goroutines > identity.MaxCollapsed || d.Threads > 0 {
		c.keep(d, stream)
		return
	}
	stack, whole := c.keys(d, stream)
	if i, ok := c.byKey[whole]; ok {
		c.count(i, d)
		return
	}
	t, ok := c.texts[stack]
	if ok && t.n >= maxTexts {
		c.count(t.first, d)
		return
	}
	if !c.keep(d, stream) {
		return
	}
	i := len(c.dumps) - 1
	c.byKey[whole] = i
	if !ok {
		t.first = i
	}
	t.n++
	c.texts[stack] = t
}

func (c *dumpKeeper) keep(d *stackparse.Dump, stream int32) bool {
	if len(c.dumps) >= c.max {
		c.cut += d.Seen
		c.stacks.Release(d)
		return false
	}
	c.dumps = append(c.dumps, Dump{d, stream})
	return true
}

func (c *dumpKeeper) count(i int, d *stackparse.Dump) {
	c.stacks.Release(d)
	k := c.dumps[i].Dump
	k.Seen += d.Seen
	k.LastLine = max(k.LastLine, d.LastLine)
}

// keys are two hashes over what makes d the same dump as another: its stacks alone, and with the cause's text, in
// which numbers and addresses count for nothing.
func (c *dumpKeeper) keys(d *stackparse.Dump, stream int32) (stack, whole uint64) {
	var h maphash.Hash
	h.SetSeed(c.seed)
	maphash.WriteComparable(&h, stream)
	maphash.WriteComparable(&h, d.Format)
	maphash.WriteComparable(&h, d.Truncated)
	for _, b := range d.Buckets {
		maphash.WriteComparable(&h, [...]uint64{b.Key, uint64(b.Count)})
	}
	for _, r := range d.Races {
		text(&h, r.Op)
		for _, f := range r.Frames {
			maphash.WriteComparable(&h, f.Frame)
		}
	}
	if d.Cause != nil {
		maphash.WriteComparable(&h, d.Cause.Kind)
		maphash.WriteComparable(&h, d.Cause.Signal)
	}
	stack = h.Sum64()
	if d.Cause != nil {
		text(&h, d.Cause.Text)
		for _, p := range d.Cause.Panics {
			text(&h, p.Text)
		}
	}
	return stack, h.Sum64()
}

// text hashes a string with every run of digits, and every hexadecimal number after 0x, as one sign.
func text(h *maphash.Hash, s string) {
	from := 0
	for i := 0; i < len(s); {
		n := number(s[i:])
		if n == 0 {
			i++
			continue
		}
		h.WriteString(s[from:i])
		h.WriteByte(1)
		i += n
		from = i
	}
	h.WriteString(s[from:])
	h.WriteByte(0) // "ab", "c" is not "a", "bc"
}

// number is the length of the number that s begins with, 0 for none.
func number(s string) int {
	n := 0
	if len(s) > 2 && s[0] == '0' && s[1] == 'x' {
		for n = 2; n < len(s) && (digit(s[n]) || 'a' <= s[n] && s[n] <= 'f' || 'A' <= s[n] && s[n] <= 'F'); n++ {
		}
		if n > 2 {
			return n
		}
		n = 0
	}
	for n < len(s) && digit(s[n]) {
		n++
	}
	return n
}

func digit(c byte) bool { return '0' <= c && c <= '9' }
