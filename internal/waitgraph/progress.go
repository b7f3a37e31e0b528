package waitgraph

// A progress is how far a goroutine has come on the way that led another one to the lock for which it waits.
type progress uint8

const (
	apart  progress = iota // they called the lock's object for different things, or nothing shows how far each has come
	behind                 // it waits for another lock before the line at which the other one waits
	past                   // it has passed that line, in the same call of the object
)

// sift separates candidates by how far they have come. Where all methods of an object call each other, as those of a
// store do, its locks lie in the object of each of them: who has passed the call in which others wait, and is still
// inside the method that made it, has what that call took. One that waits before that line has not come to it yet.
func (s *holderFinder) sift(c *lockCalls, found map[int]Holder) {
	early, rest := map[int]bool{}, StrengthSure
	for bucket, h := range found {
		if h.Strength < StrengthType {
			continue
		}
		switch p, at := s.progressOf(c, &h); p {
		case past:
			h.Frame, h.Strength, h.Passed = at, max(h.Strength, StrengthObject), true
			found[bucket], rest = h, min(rest, h.Strength-1)
		case behind:
			early[bucket] = true
		}
	}
	if rest == StrengthSure {
		return
	}
	for bucket, h := range found {
		if h.Passed || s.alive[bucket] { // one that goes on may have it all the same
			continue
		}
		if h.Strength = min(h.Strength, rest); early[bucket] {
			h.Strength = min(h.Strength, StrengthFamily)
		}
		found[bucket] = h
	}
}

// progressOf compares a candidate with those who wait for the lock of c: it may have passed some of them, in the call
// at the frame that is returned.
func (s *holderFinder) progressOf(c *lockCalls, h *Holder) (most progress, at int) {
	for _, w := range s.objects[c.object].Waiters {
		p, frame := s.compare(c, Ref{w.Bucket, w.Members[0]}, h.Ref)
		if p == behind && !isLock(modes[s.d.Buckets[h.Bucket].Class].kind) {
			continue // a loop may have come round
		}
		if p > most {
			most, at = p, frame
		}
	}
	return most, at
}

// compare follows the stacks of a waiter of a lock and of another goroutine inwards, from where each called the object
// of the lock, to the first call in which they are on different lines.
func (s *holderFinder) compare(c *lockCalls, waiter, other Ref) (p progress, at int) {
	a, b := s.codeFramesOf(waiter.Bucket), s.codeFramesOf(other.Bucket)
	i, k := c.entry(a), c.entry(b)
	if i < 0 || k < 0 {
		return apart, -1
	}
	first, known := receiver(s.words.sampleOf(waiter), a[i].frame)
	if second, ok := receiver(s.words.sampleOf(other), b[k].frame); known && ok && first != second {
		return apart, -1
	}
	for ; i >= 0 && k >= 0 && a[i].number == b[k].number; i, k = i-1, k-1 {
		s.spend(1)
		line := s.d.Buckets[waiter.Bucket].Frames[a[i].frame].Line
		switch other := s.d.Buckets[other.Bucket].Frames[b[k].frame].Line; {
		case other > line:
			return past, b[k].frame
		case other < line:
			return behind, b[k].frame
		}
	}
	return apart, -1
}

// entry is the outermost of a stack's calls that is a method of a type whose method takes the lock; -1 for none.
func (c *lockCalls) entry(frames []codeFrame) int {
	for i := len(frames) - 1; i >= 0; i-- {
		if cf := &frames[i]; cf.typ != "" && cf.method && has(c.types, cf.typNumber) {
			return i
		}
	}
	return -1
}

// minutesBefore is by how much a wait must be longer to have begun earlier: more than a cycle of the collector.
const minutesBefore = 2

// wasBefore reports whether a method of the lock's object has called other code, which has waited for minutes more than
// those who want the lock: a method may unlock before it calls a watcher or a server, which then stays for hours.
func (s *holderFinder) wasBefore(c *lockCalls, h *Holder) bool {
	cf := s.codeFrameAt(h.Bucket, h.Frame)
	return cf != nil && cf.pkg != s.sites[h.Bucket].pkg &&
		GoroutineOf(s.d, h.Ref).Minutes >= s.objects[c.object].Minutes+minutesBefore
}
