package wait

import (
	"fmt"
	"slices"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// Thresholds on senders in the forms that count stacks. They show no channels and no parents, so that numbers must: of
// 100 healthy programs the one with the most goroutines in one send had 360 of 483 goroutines there, waiting for a
// token, with others between them and their tokens. Leaks measured had 825 to 2,656, 97 in 100 goroutines or more.
const (
	manyCounted = 100
	// mostCounted and mostShare, in tenths of all goroutines, are a leak where nobody else is in the code around them;
	// manyCounted with that share are one where nobody but main is in the middle of anything: none of three healthy
	// programs with as many senders is like that, 16 of 17 guilty ones are.
	mostCounted = 200
	mostShare   = 8
)

// countedSenders is channel-send-leak (TR412) for the forms that count stacks.
func countedSenders(p *rules.Pass) (found []rules.Finding) {
	for _, d := range p.AliveDumps() {
		if !d.Counted() {
			continue
		}
		for _, c := range crowdsOf(d, manyCounted) {
			if v := c.sending(); v.guilty {
				found = append(found, c.sendersFinding(v.doubt))
			}
		}
	}
	return found
}

// sending judges a crowd of which nearly all wait to send: some that are past the send would give back what the others
// wait for, as those that work with a token do.
func (c *crowd) sending() verdict {
	n := c.waits[stackparse.ClassChanSend]
	proven := func(b *stackparse.Bucket) bool { return b.Leaked }
	switch {
	case n < manyCounted, 10*n < 9*c.count, slices.ContainsFunc(c.buckets, proven):
		return verdict{}
	case c.company():
		return verdict{guilty: n >= mostCounted && 10*n >= mostShare*c.d.Goroutines && !c.taken()}
	}
	alone := n >= mostCounted && 10*n >= mostShare*c.d.Goroutines && !c.mayBeMerged() ||
		n >= manyAlike ||
		10*n >= mostShare*c.d.Goroutines && c.othersRest()
	return guilty().but(!alone, oneCollector)
}

// othersRest reports whether nobody but main is in the middle of anything besides a crowd of senders of one stack.
func (c *crowd) othersRest() bool {
	s := newView(c.d)
	return len(c.buckets) == 1 && s.othersRest(s.actorIn(c.buckets[0]))
}

// fewStarters is how many of a crowd there must be for each goroutine in the function that starts them. Chosen.
const fewStarters = 20

// startsMore reports whether goroutines wait in a select, or for a WaitGroup, in the function around the closure that a
// crowd runs: they have started some of it, and wait for those or for the time to give up.
func (c *crowd) startsMore(b *stackparse.Bucket) bool {
	if b.Class != stackparse.ClassSelect && b.Class != stackparse.ClassWaitGroup || b.Active > 0 ||
		fewStarters*b.Count > c.count {
		return false
	}
	home := symbol.ParseName(c.home)
	shown := rules.ShownFrames(b)
	at := slices.IndexFunc(shown, func(i int) bool { return !symbol.WaitsForOthers(b.Frames[i].Func) })
	if at < 0 || home.Closure == "" {
		return false
	}
	return aroundOrBeside(home, symbol.ParseName(rules.PlainName(b.Frames[shown[at]].Func)))
}

// taken reports whether a goroutine besides those who start more of a crowd may take what it has: one without a role
// that goes on, or may have been woken. Who takes what all of the crowd have would not wait in a select, since they
// would not: it works on what it got.
func (c *crowd) taken() bool {
	s := newView(c.d)
	return c.accompanied(c.startsMore) || slices.ContainsFunc(s.actors, func(a actor) bool {
		return (a.own || a.foreign) && a.role == nil && a.move != still && a.b.Class != stackparse.ClassWaitGroup &&
			!c.has(a.b) && !c.startsMore(a.b)
	})
}

// mayBeMerged reports whether a goroutine of the program goes on which may take from all of a crowd in turn, with the
// channels that the function around their closure has returned: one that does more than read requests. What is no
// closure got its channel from who started it.
func (c *crowd) mayBeMerged() bool {
	s := newView(c.d)
	return symbol.ParseName(c.home).Closure != "" && slices.ContainsFunc(s.actors, func(a actor) bool {
		return a.own && a.role == nil && a.move != still && !c.has(a.b) && !s.readsAtRoot(&a)
	})
}

func (c *crowd) sendersFinding(d account.Doubt) rules.Finding {
	n := c.waits[stackparse.ClassChanSend]
	var senders []*stackparse.Bucket
	for _, b := range c.buckets {
		if b.Class == stackparse.ClassChanSend {
			senders = append(senders, b)
		}
	}
	inside := "nobody else is in " + c.around()
	if c.company() {
		inside = "the goroutines in " + c.around() + " wait for something other than these values"
	}
	s, place := newView(c.d), rules.BlameBucket(c.d, senders[0]).Culprit
	f := s.finding("channel-send-leak", s.actorIn(senders[0]), guilty().but(d != "", d).with(account.Values{
		"who": phrase.CountGoroutines(n), "waits": "wait", "at": rules.PlaceText(place), "spot": spot(place),
		"creator": c.starts(),
	}, c.cases()...))
	f.Count, f.Next, f.Evidence = n, nextAfter("orphans", c.d, false), nil
	f.Title = lockTitle(place, fmt.Sprintf("has %d goroutines waiting to send, with no receiver in sight", n))
	f.Notes = []string{fmt.Sprintf("They are %d of %s, and %s.", n, phrase.CountGoroutines(c.d.Goroutines), inside)}
	for _, b := range senders[:min(len(senders), rules.MaxEvidence)] {
		f.Evidence = append(f.Evidence, rules.EvidenceOf(c.d, b, ""))
	}
	return f
}

// cases choose the texts.
func (c *crowd) cases() []string {
	if c.inLibrary() {
		return []string{"library"}
	}
	return nil
}

// around names the code that nobody is in, who would move the crowd: see company.
func (c *crowd) around() string {
	home := symbol.ParseName(c.home)
	switch {
	case home.Closure != "":
		return c.starter()
	case home.Receiver != "":
		return "a method of " + home.Receiver
	}
	return symbol.ShortFunc(c.home)
}

// starts is starter for texts about a library, whose reader looks for the call that leads there.
func (c *crowd) starts() string {
	if name := c.starter(); name != ownerUnknown || !c.inLibrary() {
		return name
	}
	return "the start of " + symbol.ShortFunc(c.home)
}

// starter is who starts the crowd's goroutines, for fixes: the function around a closure.
func (c *crowd) starter() string {
	for _, b := range c.buckets {
		if b.CreatedBy != nil {
			return symbol.ShortFunc(rules.PlainName(b.CreatedBy.Func))
		}
	}
	return aroundClosure(c.home)
}

// ownerUnknown names what starts goroutines where nothing shows it.
const ownerUnknown = "the owner"

// aroundClosure names the function around a closure, ownerUnknown for other functions.
func aroundClosure(fn string) string {
	if n := symbol.ParseName(fn); n.Closure != "" {
		return symbol.ShortFunc(fn[:len(fn)-len(n.Closure)-1])
	}
	return ownerUnknown
}

// Thresholds on few senders: from ten on channel-send-leak judges them in dumps that list goroutines. Chosen: fewer
// than five are seen in passing.
const fewSenders = 5

// sendersLeft is the part of channel-send-leak (TR412) about a few goroutines that wait to send while nobody is in the
// code around them, nor in what started them. It is doubtful: one who comes back later, at a tick, may still take what
// they have.
func sendersLeft(p *rules.Pass) (found []rules.Finding) {
	for _, d := range p.AliveDumps() {
		if isTest(d) || d.Truncated.Head || d.Truncated.Tail ||
			!hasClass(d, []stackparse.Class{stackparse.ClassChanSend}) {
			continue
		}
		most := manySenders
		if d.Counted() {
			most = manyCounted
		}
		for _, c := range crowdsOf(d, fewSenders) {
			leaked := func(b *stackparse.Bucket) bool { return b.Leaked || b.Active > 0 }
			if c.count < most && c.waits[stackparse.ClassChanSend] == c.count && c.role == nil &&
				!slices.ContainsFunc(c.buckets, leaked) && c.knowsStarter() && !c.company() {
				found = append(found, c.sendersFinding(tickToTake))
			}
		}
	}
	return found
}

// knowsStarter reports whether the code that started the crowd is known: its creator, or the function around a closure,
// or the type of a method.
func (c *crowd) knowsStarter() bool {
	home := symbol.ParseName(c.home)
	return rules.Blameable(c.class) && (c.buckets[0].CreatedBy != nil || home.Closure != "" || home.Receiver != "")
}
