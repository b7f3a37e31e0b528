package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
	"github.com/gotriage/triage/triage/schema"
)

// A group is the goroutines without a role that wait in one way at one place, over all dumps.
type group struct {
	b       *schema.Bucket // the first of its buckets
	frame   schema.Frame
	rank    int // of its frame's class: the program's own code first
	count   int
	dumps   int
	minutes schema.Minutes
	// started is how many goroutines that starter, a function on the stack, has started are in the dump; only of those
	// that wait until others have finished.
	started int
	starter string
	notes   []string // lines beside them in the dump that no runtime printed
}

// others lists what is left after the findings, the locks, the running ones and the roles, the most suspicious first:
// what each kind waits for, and when that is normal. Beside a culprit that is left out. With --all the groups do.
func (v *view) others() {
	if v.all {
		return
	}
	latest := v.latest()
	list, goroutines := v.leftovers(latest)
	if len(list) == 0 {
		return
	}
	them := cmp.Or(given(goroutines == 1, "it"), "them")
	role, what := "", "no finding is about "+them
	if !v.accuses() {
		role = " without a known role"
		what = cmp.Or(given(len(v.r.Dumps) == 1, "this dump shows"), "the dumps show") + " no fault in " + them
	}
	v.section("OTHERS", phrase.Count(goroutines, "goroutine")+" in "+phrase.Count(len(list), "group")+role+
		v.ofDumps(len(latest))+": "+what)
	shown := list[:v.fitting(len(list), v.besides(otherRows))]
	rows := v.groupRows(shown)
	column, kind := v.columnOf(rows), waitKind{}
	for i := range shown {
		if k := shown[i].kind(); k != kind && !v.accuses() {
			kind = k
			v.hanging(k.text, 2, 0)
		}
		v.row(rows[i], column)
		if !v.accuses() {
			v.companions(&shown[i])
			v.endings(shown[i].b.Ends, otherIndent)
		}
		goroutines -= shown[i].count
	}
	v.restOf(list[len(shown):], goroutines)
}

// groupRows are the rows of groups: how many, where, in which state.
func (v *view) groupRows(groups []group) []row {
	at := func(g group) string { return v.place(g.frame.File, g.frame.Line) }
	places := widest(slices.Values(groups), at)
	var rows []row
	for _, g := range groups {
		rows = append(rows, row{
			indent: otherIndent, mark: padLeft(phrase.Number(g.count), otherIndent-2) + "  ",
			text: v.shortFunction(g.frame.Function), at: pad(at(g), places),
			tag: "  [" + v.state(&schema.Bucket{State: g.b.State, Minutes: g.minutes}) + "]" +
				given(g.dumps > 1, " in "+phrase.Count(g.dumps, "dump")),
		})
	}
	return rows
}

// companions writes what the dump shows beside a group: notes in it, and those that a group waits for.
func (v *view) companions(g *group) {
	for _, note := range g.notes {
		v.hanging("in the dump: \""+note+"\"", otherIndent, proseLines)
	}
	switch {
	case g.kind().suspicion != finishing:
	case g.started == 0:
		v.hanging("those it waits for were started elsewhere, or are gone", otherIndent, 0)
	default:
		v.hanging(phrase.Count(g.started, "goroutine")+" that "+v.shortFunction(g.starter)+" started "+
			cmp.Or(given(g.started == 1, "is"), "are")+" still there", otherIndent, 0)
	}
}

// otherIndent is where the names of groups begin, behind their number.
const otherIndent = 9

// restOf counts the groups that are not shown, with their states.
func (v *view) restOf(list []group, goroutines int) {
	if len(list) == 0 {
		return
	}
	var states []string
	for _, g := range list {
		if !slices.Contains(states, g.b.State) {
			states = append(states, g.b.State)
		}
	}
	v.labelled(plain(padLeft(phrase.Number(goroutines), otherIndent-2)), "in "+phrase.Count(len(list), "more group")+
		given(!v.accuses(), phrase.InBrackets(v.some(len(states), len(states), shownIDs, func(i int) string {
			return states[i]
		}))), 0)
}

// ofDumps reports which dumps a section counts, where there are others.
func (v *view) ofDumps(latest int) string {
	switch all := len(v.r.Dumps); {
	case latest == all:
		return ""
	case latest == 1:
		return ", in the last of " + phrase.Count(all, "dump")
	}
	return ", in the last dump of each process"
}

// leftovers are the groups without a role that no other section speaks of, the most suspicious first, and how many
// goroutines they are.
func (v *view) leftovers(latest []*schema.Dump) ([]group, int) {
	type key struct { // what a row shows
		state, function, file string
		line                  int
	}
	at := map[key]int{}
	var list []group
	goroutines := 0
	for _, d := range latest {
		inDump := map[key]bool{}
		atLocks, started := v.atLocks(d), startedBy(d)
		for b := range pointers(d.Buckets) {
			rest := v.rest(b) - atLocks[b]
			if b.Role != "" || rest <= 0 {
				continue
			}
			goroutines += rest
			f, rank := representative(b)
			k := key{b.State, f.Function, symbol.ShortFile(f.File), f.Line}
			n, ok := at[k]
			if !ok {
				n = len(list)
				at[k] = n
				list = append(list, group{b: b, frame: f, rank: rank, minutes: b.Minutes})
			}
			g := &list[n]
			g.count += rest
			g.minutes.Min, g.minutes.Max = min(g.minutes.Min, b.Minutes.Min), max(g.minutes.Max, b.Minutes.Max)
			if !inDump[k] {
				g.dumps++
				g.lookAround(d, b, started)
			}
			inDump[k] = true
		}
	}
	slices.SortStableFunc(list, func(a, b group) int {
		return cmp.Or(a.kind().suspicion-b.kind().suspicion, firstWith(a.alone(), b.alone()), a.rank-b.rank,
			b.count-a.count)
	})
	return list, goroutines
}

// kind is what the goroutines of a group wait for.
func (g *group) kind() waitKind {
	b := *g.b
	b.Minutes = g.minutes
	return kindOf(&b)
}

// alone reports whether a group waits until others have finished, and none of those that it started is there.
func (g *group) alone() bool { return g.kind().suspicion == finishing && g.started == 0 }

// shownNotes is how many lines that no runtime printed are shown beside a group.
const shownNotes = 2

// lookAround looks for what a dump shows beside the goroutines of a bucket.
func (g *group) lookAround(d *schema.Dump, b *schema.Bucket, started map[string]int) {
	for _, u := range d.UnparsedLines {
		note := collapse(u.Text)
		if len(g.notes) < shownNotes && u.Goroutine != 0 && slices.Contains(b.Goroutines, u.Goroutine) &&
			!slices.Contains(g.notes, note) {
			g.notes = append(g.notes, note)
		}
	}
	if kindOf(b).suspicion != finishing {
		return
	}
	for _, f := range b.Frames { // the function that waits has started them, or the nearest one that called it
		if f.Class == frame.ClassRuntime.String() || f.Class == frame.ClassStdlib.String() {
			continue
		}
		n := started[f.Function]
		if b.CreatedBy != nil && b.CreatedBy.Function == f.Function {
			n -= b.Count
		}
		if n > 0 {
			g.started, g.starter = g.started+n, f.Function
			return
		}
	}
}

// startedBy counts the goroutines of a dump by the function that started them.
func startedBy(d *schema.Dump) map[string]int {
	started := map[string]int{}
	for b := range pointers(d.Buckets) {
		if b.CreatedBy != nil {
			started[b.CreatedBy.Function] += b.Count
		}
	}
	return started
}

// atLocks counts the goroutines of each bucket that WHO BLOCKS WHOM speaks of, or a finding about the same lock:
// waiters of a lock that has a candidate for its holder, and these holders.
func (v *view) atLocks(d *schema.Dump) map[*schema.Bucket]int {
	waiters, holders := map[uint64]*schema.Wait{}, map[uint64]bool{}
	for w := range pointers(d.Waits) {
		if !isLock(w.Kind) || len(w.Holders) == 0 {
			continue
		}
		for _, id := range w.Goroutines {
			waiters[id] = w
		}
		for _, h := range w.Holders {
			holders[h.Goroutine] = true
		}
	}
	if len(waiters) == 0 {
		return nil
	}
	at := map[*schema.Bucket]int{}
	for b := range pointers(d.Buckets) {
		seen := map[*schema.Wait]bool{}
		for _, id := range b.Goroutines {
			w := waiters[id]
			switch {
			case w != nil && w.Waiters > len(w.Goroutines): // the first of them are listed
				if !seen[w] {
					at[b] += min(w.Waiters, b.Count)
				}
				seen[w] = true
			case w != nil, holders[id]:
				at[b]++
			}
		}
	}
	return at
}

// A waitKind is what goroutines without a role wait for: the lower its suspicion, the more likely a fault shows so.
type waitKind struct {
	suspicion int
	text      string
}

// finishing is the suspicion of those that wait until others have finished.
const finishing = 1

// kindOf orders what nothing explains, the most suspicious first: goroutines that wait for others of their process,
// then those in long system calls, then those that wait for whatever comes. What hangs is seldom the largest group.
func kindOf(b *schema.Bucket) waitKind {
	switch stackparse.Class(b.Wait) {
	case stackparse.ClassMutex, stackparse.ClassRWMutexR, stackparse.ClassRWMutexW:
		if b.Minutes.Max > 0 {
			return waitKind{0, "waiting for a lock for minutes: its holder is slow, or stuck"}
		}
		return waitKind{0, "waiting for a lock: normal for a moment"}
	case stackparse.ClassNilChan:
		return waitKind{0, "waiting for ever"}
	case stackparse.ClassNoCases: // main waits so for the others
		if n := len(b.Frames); n > 0 && b.Frames[n-1].Function == "main.main" {
			return waitKind{8, "waiting for ever, while others work"}
		}
		return waitKind{0, "waiting for ever"}
	case stackparse.ClassWaitGroup:
		return waitKind{finishing, "waiting until others have finished: normal while they work"}
	case stackparse.ClassSemaphore:
		// A Close waits so for the last call on what it closes.
		return waitKind{2, "waiting for a semaphore: normal while others work"}
	case stackparse.ClassChanSend:
		if b.Minutes.Max > 0 {
			return waitKind{2, "waiting for a receiver for minutes: it is busy, or has gone"}
		}
		return waitKind{2, "waiting for a receiver: normal while that is busy"}
	case stackparse.ClassSyscall, stackparse.ClassCgo:
		if b.Minutes.Max > 0 {
			return waitKind{3, "in a system call or in C for minutes: normal where it waits for input"}
		}
		return waitKind{8, "in a system call or in C"}
	case stackparse.ClassChanReceive:
		return idleKind(b, 4, "the next value or a close")
	case stackparse.ClassSelect:
		return idleKind(b, 5, "the first of several events")
	case stackparse.ClassIO:
		return waitKind{8, "waiting for the other side of a connection or a pipe"}
	case stackparse.ClassSleep:
		return waitKind{9, "asleep: a timer wakes them"}
	case stackparse.ClassCond:
		return idleKind(b, 4, "a signal of a sync.Cond")
	}
	return waitKind{10, "in other states"}
}

// idleKind is what goroutines wait for that may wait for days: a loop in the function that it began with. One that
// waits below a call may as well wait for an answer, and is more suspicious.
func idleKind(b *schema.Bucket, suspicion int, what string) waitKind {
	if inCall(b) {
		return waitKind{suspicion, "waiting in a call for " + what +
			": normal for a loop without work, not for an answer"}
	}
	return waitKind{suspicion + 2, "waiting for " + what + ": normal without work, even for days"}
}

// inCall reports whether goroutines wait in a function that the one they began with has called. All waits of main are
// its own: it waits for the end.
func inCall(b *schema.Bucket) bool {
	shown, _ := representative(b)
	for _, f := range slices.Backward(b.Frames) {
		if f == shown || f.Function == "main.main" {
			return false
		}
		if f.Function != "" && f.Class != frame.ClassRuntime.String() && !onlyStarts(f.Function) && !isGoLine(b, &f) {
			return true
		}
	}
	return false
}

// isGoLine reports whether a function is a closure that lies in the line of the go statement: Go 1.18 to 1.21 make one
// of a statement with arguments.
func isGoLine(b *schema.Bucket, f *schema.Frame) bool {
	by := b.CreatedBy
	return by != nil && f.File == by.File && f.Line == by.Line && symbol.ParseName(f.Function).Closure != ""
}

// onlyStarts reports whether a function does nothing but call the one that a go statement names: the compiler's wrapper
// of a statement with arguments, or the Go method of a group.
func onlyStarts(function string) bool {
	return strings.Contains(symbol.ParseName(function).Closure, "gowrap") ||
		strings.HasPrefix(function, "sync.(*WaitGroup).Go.") ||
		strings.HasPrefix(function, "golang.org/x/sync/errgroup.(*Group).Go.")
}
