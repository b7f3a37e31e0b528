package wait

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// Thresholds on loops of libraries, each of an object of its own. In the dumps of testdata/well, and in the goroutine
// profiles of 40 public programs, no loop of a library that waits in memory is more than 60 of 100 goroutines (12,096
// of a torrent client's); those of clients, sessions and subscribers come with a reader of their connection. Three
// leaks that were measured had 98 of 100 or more, 510 to 2,208 with the loops that go together.
const (
	manyLoops = 200
	// leastLoops is for each of the loops that go together. Chosen: an object has four at most.
	leastLoops = manyLoops / 4
	// In forms that count stacks nothing separates them from idle workers and from objects made at the start, so that
	// more are needed: fewer where each object has two loops, which workers have not, or where next to nothing else is
	// there, barelyOthers in a hundred.
	manyCountedLoops = 1_000
	fewCountedLoops  = 500
	// loopsShare, in tenths of all goroutines, leaves nobody who could be using them. See most.
	loopsShare   = 9
	barelyOthers = 3
)

// loopsPileUp is loops-pile-up (TR446).
func loopsPileUp(p *rules.Pass) (found []rules.Finding) {
	for _, d := range p.AliveDumps() {
		for _, l := range piledLoops(d) {
			found = append(found, l.finding())
		}
	}
	return found
}

// piledLoops are the loops of a dump that this rule is about.
func piledLoops(d *rules.DumpInput) []loops {
	if d.Goroutines < manyLoops || isTest(d) {
		return nil
	}
	var found []loops
	all := crowdsOf(d, leastLoops)
	for i, c := range all {
		l := loopsOf(c, all)
		if !l.known(all[:i]) || !l.most() {
			continue
		}
		// Only what is left is worth sorting thousands of ids.
		l.came = arrivalOf(d, l.all()...)
		if l.tooMany() && (!l.idle() || l.usedOnce()) {
			found = append(found, l)
		}
	}
	return found
}

// loops are the goroutines of a crowd that run a loop of a library, with the crowds that came along with them.
type loops struct {
	*crowd
	with  []*crowd
	total int // of all these crowds
	came  arrival
}

// loopsOf joins a crowd with those of about its number that wait in memory too: an object may have two loops.
func loopsOf(c *crowd, all []*crowd) loops {
	l := loops{crowd: c, total: c.count}
	for _, o := range all {
		if o != c && 10*o.count >= 9*c.count && 9*o.count <= 10*c.count && o.inLibrary() {
			l.with = append(l.with, o)
			l.total += o.count
		}
	}
	return l
}

// all are the buckets of the loops and of those that came along.
func (l *loops) all() []*stackparse.Bucket {
	all := slices.Clone(l.buckets)
	for _, c := range l.with {
		all = append(all, c.buckets...)
	}
	return all
}

// known reports whether l is a loop that can be judged, and not one that goes with a bigger crowd before it.
func (l *loops) known(before []*crowd) bool {
	for _, o := range before {
		for _, w := range l.with {
			if o == w && o.loop() {
				return false
			}
		}
	}
	return l.loop()
}

func (c *crowd) loop() bool {
	if c.openBodies() {
		return false
	}
	idle := c.waits[stackparse.ClassChanReceive] + c.waits[stackparse.ClassSelect] + c.waits[stackparse.ClassCond] +
		c.waits[stackparse.ClassSleep]
	return 10*idle >= 9*c.count && c.inLibrary()
}

// idle reports whether a crowd has a role that a process may have many of: workers of a pool, subscribers, connections.
func (c *crowd) idle() bool { return c.role != nil && c.role.Idle && c.role.Name != "context-watch" }

// openBodies reports whether a crowd are connections of net/http's client, about which TR424 and TR662 know more.
func (c *crowd) openBodies() bool {
	return slices.ContainsFunc(c.buckets, func(b *stackparse.Bucket) bool {
		return slices.ContainsFunc(b.Frames, func(f stackparse.Frame) bool {
			return strings.HasPrefix(f.Func, "net/http.(*persistConn).")
		})
	})
}

// bornEach is how many goroutines a process may have started for each object that a loop serves, where the loop has the
// role of an idle one. Each request costs a server one goroutine at least, and each task a pool of workers one where it
// idled before, so that objects that were used more than for one piece of work have more. Measured: 7 in a program that
// makes a pool for each batch of nine tasks; 21 and more in programs that have one for each of 300 tenants and ask it
// three times.
const bornEach = 10

// usedOnce reports whether the loops of an idle role were made one by one, each for an object of its own that hardly
// anything was done with since: a role explains that a loop waits, not that hundreds were made and none has ended.
func (l *loops) usedOnce() bool {
	return l.came.known && l.came.newest <= bornEach*uint64(l.count) && l.oneEach()
}

// oneEach reports whether each goroutine of a crowd is in a method of an object of its own, and was started by the
// function that makes such an object: the workers of one pool share it, or are started by one of its methods.
func (c *crowd) oneEach() bool {
	seen := map[uint64]bool{}
	for _, b := range c.buckets {
		if b.CreatedBy == nil || !strings.HasPrefix(symbol.ParseName(b.CreatedBy.Func).Func, "New") {
			return false
		}
		at := rules.BlameBucket(c.d, b).Index
		for i := range b.Samples {
			object, ok := receiverOf(b, b.Samples[i].Index, at)
			if !ok || seen[object] {
				return false
			}
			seen[object] = true
		}
	}
	n := symbol.ParseName(c.home)
	return len(seen) > 1 && n.Receiver != "" && n.Closure == ""
}

// most reports whether little else is there. Where ids show how they came, half of the objects at least must have no
// other goroutine in the whole process: clients, sessions and subscribers have one each.
func (l *loops) most() bool {
	others := l.d.Goroutines - l.total
	return 10*l.total >= loopsShare*l.d.Goroutines ||
		l.count >= manyLoops && 2*others <= l.count && len(l.buckets[0].Goroutines) > 0
}

// tooMany judges loops that are most of a process's goroutines by how little else there is, and by how they came.
func (l *loops) tooMany() bool {
	switch others := l.d.Goroutines - l.total; {
	case l.runsProgram(), !l.came.known && namedForMany(l.home), fewCaches(l.home, l.total):
		return false
	case l.came.known:
		return l.total >= manyLoops && l.came.came
	default:
		return l.total >= manyCountedLoops ||
			l.total >= fewCountedLoops && (len(l.with) > 0 || 100*others <= barelyOthers*l.d.Goroutines)
	}
}

// runsProgram reports whether code of the program is on the stack of a crowd, whether it began there or a library calls
// it, and asks a library for its next item. A program has any number of such goroutines: subscriptions that it follows,
// players of a game, what moves in a simulation. No leaked loop of the published bugs in testdata/wild (halves first,
// third and fourth) has such code on its stack.
func (c *crowd) runsProgram() bool { return outlines.Of(c.d, c.buckets[0]).own }

// namedForMany reports whether a function's package or type has a name for what processes have any number of: 3,000
// actors and 900 workers of a pool are what healthy programs had.
func namedForMany(fn string) bool { return namedLike(fn, "pool", "actor", "mailbox") }

// fewCaches reports whether loops are those of caches that a process may have one of for each tenant: healthy ones had
// up to 600, also where each was made by a tenant's first request. A cache that leaks was measured with 1,311.
func fewCaches(fn string, total int) bool { return total < manyCountedLoops && namedLike(fn, "cache") }

// namedLike reports whether a function's package or type has one of these words in its name.
func namedLike(fn string, words ...string) bool {
	n := symbol.ParseName(fn)
	name := strings.ToLower(n.Package + "." + n.Receiver)
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(name, word) })
}

func (l *loops) finding() rules.Finding {
	bl := rules.BlameBucket(l.d, l.buckets[0])
	others := l.d.Goroutines - l.total
	values := account.Values{
		"count": strconv.Itoa(l.count), "at": rules.PlaceText(bl.Culprit), "total": strconv.Itoa(l.d.Goroutines),
		"others": fewOf(others), "do": verb(others, "does", "do"), "with": l.withText(),
		"starts": l.starts(),
	}
	s := newView(l.d)
	return l.shown(s.finding("loops-pile-up", s.actorIn(l.buckets[0]), guilty().with(values)))
}

// shown completes a finding about loops by what is shown of them.
func (l *loops) shown(f rules.Finding) rules.Finding {
	f.Count, f.Next, f.Evidence = l.total, nextAfter("orphans", l.d, false), nil
	if came := l.cameText(); came != "" {
		f.Notes = []string{came}
	}
	for _, c := range append([]*crowd{l.crowd}, l.with...) {
		for _, b := range c.buckets[:min(len(c.buckets), rules.MaxEvidence-len(f.Evidence))] {
			f.Evidence = append(f.Evidence, rules.EvidenceOf(l.d, b, ""))
		}
	}
	return f
}

// cameText is how they came, as a sentence. Where minutes alone show it, next to nothing was started between them.
func (l *loops) cameText() string {
	if !l.came.known {
		return ""
	}
	text := "They are"
	if float64(l.total) < looseDensity*float64(l.came.last-l.came.first+1) {
		text = "They were not started all at once: they are among"
	}
	return fmt.Sprintf("%s goroutines %d to %d of the %d that the process started.",
		text, l.came.first, l.came.last, l.came.newest)
}

// withText names the loops that each object has besides.
func (l *loops) withText() string {
	if len(l.with) == 0 {
		return ""
	}
	names := make([]string, 0, len(l.with))
	for _, c := range l.with {
		names = append(names, fmt.Sprintf("%s (%d)", symbol.ShortFunc(c.home), c.count))
	}
	return ", and about as many run " + phrase.List(names)
}

// starts names the function that starts the loops.
func (l *loops) starts() string {
	for _, b := range l.buckets {
		if b.CreatedBy != nil {
			return startName(rules.PlainName(b.CreatedBy.Func))
		}
	}
	if symbol.ParseName(l.home).Closure != "" {
		return aroundClosure(l.home)
	}
	return startName("")
}

// startName names the function that starts goroutines for a reader who looks for the call that leads there: the one
// around a closure, since nobody calls that by its name.
func startName(fn string) string {
	switch {
	case fn == "":
		return "the function that starts them"
	case symbol.ParseName(fn).Closure != "":
		return aroundClosure(fn)
	}
	return symbol.ShortFunc(fn)
}
