package stackparse

// Bounds, in bytes as stackCost counts them; past the first, stacks are parsed once a dump; past the second, they are
// counted together. A dump of 100,000 distinct stacks of 20 frames would cost 380 MB; those of a real dump of 2,764
// goroutines cost 0.2 MB, and those of 300 such dumps of one log 50 MB.
const (
	maxParsedCost = 16 << 20
	maxDumpCost   = 96 << 20
)

// A Budget is what the distinct stacks of all dumps that are kept may take together: it is shared by parsers that are
// used in turns. Goroutines whose stacks it has no room for are counted in one bucket without frames.
type Budget struct{ used int }

// full reports that there is no room for another distinct stack. Without a budget each dump has one of its own.
func (b *Budget) full(d *Dump) bool {
	return d.Cost >= maxDumpCost || b != nil && b.used >= maxDumpCost
}

// charge counts a distinct stack of d that takes n bytes.
func (b *Budget) charge(d *Dump, n int) {
	d.Cost += n
	if b != nil {
		b.used += n
	}
}

// Release makes room: d is not kept.
func (b *Budget) Release(d *Dump) {
	if b != nil {
		b.used -= d.Cost
	}
}

// Take counts d, which comes from no parser that shares b.
func (b *Budget) Take(d *Dump) { b.used += d.Cost }

// stackCost is about what a distinct stack takes until it is reported: its text, its frames, and the tables that find
// it. Measured over 260,000 stacks of two frames: 2,200 bytes each at the peak.
func stackCost(text, frames int) int { return text + 64*frames + 1200 }
