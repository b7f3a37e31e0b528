package wait

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// An orphan is a bucket of goroutines that wait for something that no one seems to bring.
type orphan struct {
	d *rules.DumpInput
	o *waitgraph.Orphan
}

// orphanRun applies a rule to the orphans that it takes and that are worth a finding.
func orphanRun(rule string, takes func(*waitgraph.Orphan) bool) run {
	return func(p *rules.Pass) (found []rules.Finding) {
		for _, d := range dumpsWithWaits(p) {
			if d.Counted() {
				continue // see countedSenders
			}
			waits := parsed.Waits(d)
			for i := range waits.Orphans {
				o := orphan{d, &waits.Orphans[i]}
				if !takes(o.o) {
					continue
				}
				if v := o.verdict(); v.guilty {
					found = append(found, o.finding(rule, v))
				}
			}
		}
		return found
	}
}

// Thresholds on goroutines of one stack that wait, each for something of its own, while those that started them have
// ended and none of their relatives is at work. Only senders are a fault by themselves: someone asked for what they
// hold and did not wait. Receivers and selects in any number may be subscribers of something rare: in the healthy
// programs of testdata/well 270 of them wait on channels of their own for minutes, their creators gone.
const (
	manySenders = 10
	manyWaiters = 10
	// manyAlike is more than healthy processes have in a stack without a role: of those looked at, the one with the
	// most had 500; a message broker with 1,000 clients has 7,000 in seven.
	manyAlike = 1_000
	// unprovenSenders is for dumps that report no channel's address: 40 senders of a healthy program have one in
	// common.
	unprovenSenders = 100
	// sharedSenders wait for one channel whose reader is gone or slow, staleMinutes long.
	sharedSenders = 10
	staleMinutes  = 5
)

// verdict reports whether it is a fault as far as the dump shows.
func (o *orphan) verdict() verdict {
	g := o.o
	switch {
	case g.Explained:
		return verdict{}
	case parsed.Waits(o.d).Test:
		return o.testVerdict()
	case g.Served > 0 && !o.forgotten():
		return verdict{}
	}
	own := g.Objects == 0 || 10*g.Objects >= 9*g.Count // each its own
	switch {
	case g.Mode == waitgraph.ModeSend:
		v := o.sendVerdict()
		doubtful := v.sure() && !o.forgotten()
		return v.but(doubtful && o.mayMove(own), mayBeTaken).but(doubtful && o.takesSlot(), slotBack)
	case g.Kind == waitgraph.WaitGroup, g.Kind == waitgraph.Cond:
		return verdict{guilty: g.Count >= manyWaiters && o.gone() && own}.
			but(g.Kind == waitgraph.Cond, eventToCome).but(g.Minutes < staleMinutes, notForLong)
	}
	return verdict{}
}

func (o *orphan) sendVerdict() verdict {
	g := o.o
	each := o.left() && 10*g.Objects >= 9*g.Count
	switch {
	case o.forgotten(),
		g.Count >= manySenders && (o.gone() && g.Objects > 0 && 2*g.Objects >= g.Count || o.deserted()),
		g.Count >= unprovenSenders && g.Objects == 0 && (o.left() || g.Parents == 0),
		g.Most >= sharedSenders && g.Minutes >= staleMinutes:
		return guilty()
	}
	return verdict{guilty: each && g.Count >= manySenders}.but(g.Count < unprovenSenders, likePipeline)
}

// testVerdict judges goroutines of a test binary: a test is meant to end, so that what waits there while nothing
// computes and no relative is at work is left over or stuck, however few they are.
func (o *orphan) testVerdict() verdict {
	g := o.o
	if g.Served > 0 || parsed.Waits(o.d).Working && g.Minutes < stuckMinutes && !o.gone() {
		return verdict{}
	}
	// A test that runs shows requests and their handlers at any moment. Only minutes show that no answer comes.
	asks := slices.ContainsFunc(o.d.Buckets[g.Bucket].Frames, inRequest)
	return guilty().but(g.Minutes < sureMinutes && asks, onItsWay)
}

// inRequest reports whether a call is of a client that makes a request, or of a server that serves one.
func inRequest(f stackparse.Frame) bool {
	return strings.HasPrefix(f.Func, "net/http.") || symbol.PlainPackage(f.Func) == "google.golang.org/grpc"
}

// gone reports whether nearly all parents have ended. A dump that lost an end does not show.
func (o *orphan) gone() bool {
	g := o.o
	t := o.d.Truncated
	return !t.Head && g.Parents > 0 && 10*g.Gone >= 9*g.Parents
}

// left reports whether nearly all that started them have ended, or have at least left the function that did.
func (o *orphan) left() bool {
	g := o.o
	return !o.d.Truncated.Head && g.Parents > 0 && 10*(g.Gone+g.Returned) >= 9*g.Parents
}

func (o *orphan) finding(rule string, v verdict) rules.Finding {
	b := o.d.Buckets[o.o.Bucket]
	bl := rules.BlameBucket(o.d, b)
	text := o.account(rule, v.doubt)
	return rules.Finding{
		Confidence: v.confidence(), Against: text.Against,
		Culprit: bl.Culprit, Path: bl.Path, Creator: bl.Creator,
		Evidence: []rules.Evidence{rules.EvidenceOfGoroutines(o.d, o.waiting(), "")},
		Title:    lockTitle(bl.Culprit, text.Act), Why: text.Why, Fix: text.Fix, Count: o.o.Count,
		Next: nextAt("orphans", o.d, parsed.Waits(o.d).Test, b, bl.Index), Notes: o.facts(),
	}
}

// nextAfter are the commands under a heading that show whether anything has moved; a test binary serves no profiles.
func nextAfter(heading string, d *rules.DumpInput, test bool) []rules.Step {
	return nextAt(heading, d, test, nil, -1)
}

// nextAt is nextAfter for a culprit that is a frame of a bucket, or -1: nobody runs the tests of a library to find out
// how the program calls it.
func nextAt(heading string, d *rules.DumpInput, test bool, b *stackparse.Bucket, frame int) []rules.Step {
	f := account.Facts{Target: d.StepTarget(), Values: account.Values{"run": "", "package": "the package"}}
	if frame >= 0 {
		f.Values["package"] = "package " + path.Base(symbol.StripVendor(symbol.PackageOf(b.Frames[frame].Func)))
		if name := testOf(b); test && name != "" {
			f.Values["run"] = " -run " + rules.Quote("^"+name+"$")
		}
	}
	library := frame >= 0 && len(libraryCase(d, &b.Frames[frame])) > 0
	switch {
	case test && library:
		f.Cases = []string{"library-test"}
	case test:
		f.Cases = []string{"test"}
	case library:
		f.Cases = []string{"library"}
	}
	return findings().Account(heading, f).Next
}

// testOf is the test that runs or started a bucket's goroutines, "" where neither is to be seen: "TestMove" of
// store.TestMove.func1.
func testOf(b *stackparse.Bucket) string {
	frames := b.Frames
	if b.CreatedBy != nil {
		frames = append(slices.Clip(frames), *b.CreatedBy)
	}
	for _, f := range slices.Backward(frames) {
		name := strings.TrimPrefix(f.Func[len(symbol.PackageOf(f.Func)):], ".")
		name, _, _ = strings.Cut(name, ".")
		rest, ok := strings.CutPrefix(name, "Test")
		if ok && strings.HasSuffix(f.File, "_test.go") && (rest == "" || !unicode.IsLower(rune(rest[0]))) {
			return name
		}
	}
	return ""
}

// waiting are the bucket's goroutines that wait: those just woken are not among them.
func (o *orphan) waiting() []stackparse.Goroutine {
	b := o.d.Buckets[o.o.Bucket]
	if b.Active == 0 {
		return b.Goroutines
	}
	return rules.GoroutinesWhere(b, func(g *stackparse.Goroutine) bool { return !stackparse.Runnable(o.d.StateOf(g)) })
}

// waitedFor names what goroutines of a class wait for.
func waitedFor(c stackparse.Class) string {
	switch c {
	case stackparse.ClassChanSend, stackparse.ClassChanReceive:
		return "channel"
	case stackparse.ClassWaitGroup:
		return "WaitGroup"
	case stackparse.ClassCond:
		return "sync.Cond"
	}
	return "resource"
}

// facts are what the dump reports about the goroutines: how many, on how many channels, since when, started by whom.
func (o *orphan) facts() (all []string) {
	g := o.o
	b := o.d.Buckets[g.Bucket]
	note := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	switch {
	case g.Count == 1:
	case g.Objects == g.Count:
		note("Each of the %d waits for its own %s.", g.Count, waitedFor(b.Class))
	case g.Objects > 1:
		note("These %d goroutines wait for %d different %ss.", g.Count, g.Objects, waitedFor(b.Class))
	case g.Objects == 1:
		note("All %d goroutines wait for the same %s.", g.Count, waitedFor(b.Class))
	}
	if g.Minutes > 0 {
		note("The longest has waited for about %s.", phrase.CountMinutes(g.Minutes))
	}
	if b.CreatedBy == nil || strings.HasPrefix(b.CreatedBy.Func, "testing.") {
		return all
	}
	by := rules.PlaceText(rules.PlaceOf(b.CreatedBy.Frame))
	switch {
	case g.Parents > 0 && g.Gone == g.Parents && g.Count == 1:
		note("%s started it, in a goroutine that has since ended.", by)
	case g.Parents > 0 && g.Gone == g.Parents:
		note("%s started them, in goroutines that have all since ended.", by)
	case g.Gone > 0:
		note("%s started them; %d of the goroutines that did so have since ended.", by, g.Gone)
	default:
		note("%s started %s.", by, verb(g.Count, "it", "them"))
	}
	return all
}

// account writes the account: {who} is "Goroutine 17" or "3000 goroutines", which {waits} {at} the blamed line, {spot}
// the line named again, {creator} who starts {them}.
func (o *orphan) account(rule string, d account.Doubt) account.Account {
	n := o.o.Count
	place := culpritLine(o.d, o.o.Bucket)
	f := account.Facts{Doubt: d, Values: account.Values{
		"who": phrase.CountGoroutines(n), "waits": verb(n, "waits", "wait"), "at": rules.PlaceText(place),
		"spot": spot(place), "creator": o.creator(), "them": verb(n, "it", "them"),
		"they":  verb(n, "it", "they"),
		"count": strconv.Itoa(n), "name": bareName(place),
	}}
	if o.o.Mode == waitgraph.ModeSend && beginsWithAny(symbol.ParseName(place.Function).Func, sectionNames[:]) {
		f.Cases = append(f.Cases, "slots")
	}
	if n == 1 {
		f.Values["who"] = fmt.Sprintf("Goroutine %d", o.waiting()[0].ID)
	}
	if o.o.Most > 1 && 2*o.o.Objects < n {
		f.Cases = append(f.Cases, "one reader")
	}
	if i := rules.BlameBucket(o.d, o.d.Buckets[o.o.Bucket]).Index; i >= 0 {
		b := o.d.Buckets[o.o.Bucket]
		f.Cases = append(f.Cases, libraryCase(o.d, &b.Frames[i])...)
	}
	a := findings().Account(rule, f)
	if act, ok := strings.CutPrefix(a.Act, "waits"); ok && n > 1 {
		a.Act = fmt.Sprintf("has %d goroutines waiting%s", n, act)
	}
	return a
}

// creator is what starts the goroutines, for fixes that have named it before.
func (o *orphan) creator() string {
	c := o.d.Buckets[o.o.Bucket].CreatedBy
	switch {
	case c == nil:
		if f := homeOf(o.d, o.d.Buckets[o.o.Bucket]); f != nil {
			return aroundClosure(rules.PlainName(f.Func))
		}
		return ownerUnknown
	case strings.HasPrefix(c.Func, "testing."):
		return "the test"
	}
	return symbol.ShortFunc(c.Func)
}

// holderQueues reports whether the lock is there to let one run of a job follow the other (cron's DelayIfStillRunning),
// and the run that has it goes on: a job of an hour that sleeps between its steps keeps the next ones waiting.
func (s *standstill) holderQueues() bool {
	h := s.Dump.Buckets[s.Blockage.Links[0].Holder.Bucket]
	return h.MaxMinutes < forgottenMinutes && slices.ContainsFunc(h.Frames, func(f stackparse.Frame) bool {
		return strings.Contains(f.Func, "DelayIfStillRunning.")
	})
}
