package objects

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Bounds of objects that two lists of a cluster met just after they were written, by their resourceVersions, while the
// API server counted far more writes than the lists explain. Of 14 pairs of lists, 7 to 9 s apart, of real control
// planes, the healthy ones had 2 to 3 writes a second, which their Leases explain, and those with a loop 60 to 120;
// there each object of the loop was among the newest in both lists, at most 9 versions behind. Work that makes progress
// writes once a second, timers once in ten.
const (
	paceMin     = 1.5 // writes a second and object
	paceWrites  = 30  // that nothing explains
	paceApart   = 3 * time.Second
	paceFar     = 30 * time.Minute
	paceBehind  = 4 // versions of others behind the newest, beside three rounds of the group
	paceRounds  = 3
	longRenewed = 40 * time.Second // a Lease of a node or server lasts so long, and is renewed every 10 s
)

// A pairKey names two lists, a groupKey the objects of one kind in a namespace.
type (
	pairKey  struct{ from, to string }
	groupKey struct {
		pairKey
		api, kind, namespace string
	}
)

// A pace is how much was written between two lists that nothing in them explains, and in which time.
type pace struct {
	writes float64
	span   time.Duration
}

// paces are the objects that are written all the time, by the lists that met them.
type paces struct {
	c      *kube.Cluster
	pairs  map[pairKey]pace
	groups map[groupKey]*paceGroup
}

// A paceGroup is the objects of a kind that were written between two lists, and how many lists met just then.
type paceGroup struct {
	metas []*kube.Meta
	met   []*kube.Meta
}

func pacesOf(c *kube.Cluster) *paces {
	p := &paces{c: c, pairs: map[pairKey]pace{}, groups: map[groupKey]*paceGroup{}}
	everyMeta(c, func(m *kube.Meta) {
		h := m.History
		if h == nil || h.First.Input == h.Last.Input || m.Gone || m.Kind == "Pod" || ownHeartbeat(m) ||
			!moves(m) {
			return
		}
		key := groupOf(m)
		if _, ok := p.between(key.pairKey); !ok {
			return
		}
		g := p.groups[key]
		if g == nil {
			g = &paceGroup{}
			p.groups[key] = g
		}
		g.metas = append(g.metas, m)
	})
	for key, g := range p.groups {
		from, _ := c.Moment(key.from)
		to, _ := c.Moment(key.to)
		bound := int64(paceRounds*len(g.metas) + paceBehind)
		for _, m := range g.metas {
			if h := m.History; from.Version-h.FirstVersion <= bound && to.Version-h.LastVersion <= bound {
				g.met = append(g.met, m)
			}
		}
	}
	return p
}

// moves reports an object in which something was written that does not mirror others. Where both versions are alike,
// what was written was taken back.
func moves(m *kube.Meta) bool {
	h := m.History
	return len(h.Fields) == 0 || slices.ContainsFunc(h.Fields, func(f kube.Field) bool { return !mirrors(m, &f) })
}

func groupOf(m *kube.Meta) groupKey {
	h := m.History
	return groupKey{pairKey{h.First.Input, h.Last.Input}, m.API, m.Kind, m.Namespace}
}

// between is the pace between two lists; ok is false where they are not of one cluster, or do not show when they were
// taken.
func (p *paces) between(key pairKey) (pace, bool) {
	if known, ok := p.pairs[key]; ok {
		return known, known.span > 0
	}
	p.pairs[key] = pace{}
	from, okFrom := p.c.Moment(key.from)
	to, okTo := p.c.Moment(key.to)
	span := to.At.Sub(from.At)
	if !okFrom || !okTo || span < paceApart || span > paceFar {
		return pace{}, false
	}
	explained, same := p.renewals(key, span)
	if !same {
		return pace{}, false
	}
	everyMeta(p.c, func(m *kube.Meta) { explained += writesOf(m, from) })
	for _, e := range p.c.Events {
		if e.Last.After(from.At) {
			explained += float64(min(e.Count, writesOfEvent))
		}
	}
	found := pace{float64(to.Version-from.Version) - explained, span}
	p.pairs[key] = found
	return found, true
}

// renewals is how often Leases were renewed in that time; same is false where both lists do not have two of them.
func (p *paces) renewals(key pairKey, span time.Duration) (n float64, same bool) {
	both := 0
	for _, l := range p.c.Leases {
		every := 2 * time.Second // client-go's RetryPeriod
		if l.Duration >= longRenewed {
			every = 10 * time.Second
		}
		n += 1 + span.Seconds()/every.Seconds()
		if h := l.History; h != nil && h.First.Input == key.from && h.Last.Input == key.to {
			both++
		}
	}
	return n, both >= 2
}

// Writes that explain what lies between two lists: a pod is written about ten times until it runs (scheduler, kubelet,
// controllers), and as often until it has gone; other new objects several times, and an Event as often as it is
// counted, up to a few. Chosen on the high side: what is explained too well accuses nobody.
const (
	writesOfPod   = 10
	writesOfNew   = 4
	writesOfEvent = 5
)

// writesOf is how many writes of an object a list explains that was taken after from.
func writesOf(m *kube.Meta, from kube.Moment) float64 {
	switch {
	case m.Kind == "Pod" && (m.Created.After(from.At) || m.Gone):
		return writesOfPod
	case m.Created.After(from.At) || m.Gone:
		return writesOfNew
	case m.History != nil && m.History.LastVersion > from.Version:
		return 1
	}
	return 0
}

// each is how often each object of a group is written in a second, 0 where nothing shows that it is written all the
// time.
func (p *paces) each(key groupKey) float64 {
	between, g := p.pairs[key.pairKey], p.groups[key]
	if g == nil || 2*len(g.met) < len(g.metas) || between.writes < paceWrites {
		return 0
	}
	each := between.writes / between.span.Seconds() / float64(len(g.metas))
	if each < paceMin {
		return 0
	}
	return each
}

// rewritten is status-churn of an object that two lists met just after it was written.
func (p *paces) rewritten(m *kube.Meta) (rules.Finding, bool) {
	h := m.History
	if h == nil || h.First.Input == h.Last.Input {
		return rules.Finding{}, false
	}
	key := groupOf(m)
	each := p.each(key)
	if each == 0 || !slices.Contains(p.groups[key].met, m) {
		return rules.Finding{}, false
	}
	between := p.pairs[key.pairKey]
	f := historyFinding(m, h, rules.Medium, rules.ConfMedium)
	f.Count = int(math.Round(between.writes / float64(len(p.groups[key].metas))))
	titlePace(m, &f, each)
	f.Why = fmt.Sprintf("Between two lists %s apart there were %s that no other object explains, and each list caught "+
		"%s just after a write.", phrase.Spell(between.span), phrase.Count(int(between.writes), "write"),
		kindName(m.Ref))
	if len(h.Fields) == 0 {
		f.Why += " Both lists show the same content: each write is undone."
	} else {
		f.Why += fmt.Sprintf(" Between the lists, %s changed.", someFields(h))
	}
	f.Notes = []string{"Two lists show the values but not who wrote them; the audit log shows that."}
	return f, true
}

// titlePace writes the title of an object that is written all the time, and what to do.
func titlePace(m *kube.Meta, f *rules.Finding, each float64) {
	rate := "several times a second"
	if each >= 2 {
		rate = fmt.Sprintf("about %.0f times a second", each)
	}
	field := ""
	if h := m.History; len(h.Fields) > 0 {
		field = h.Fields[0].Path
		f.Title = title(m.Ref, "is written "+rate+": "+field+" changes",
			"is written "+rate+": "+lastStep(field)+" changes", "is written "+rate)
	} else {
		f.Title = title(m.Ref, "is written "+rate)
	}
	f.Fix = fmt.Sprintf("Make the writer of %s skip writes that change nothing, or let only one of two writers "+
		"own the object.", cmp.Or(field, "it"))
}

// lastStep is the last step of a field's path; an annotation's name has dots of its own.
func lastStep(path string) string {
	if name, ok := strings.CutPrefix(path, "metadata.annotations."); ok {
		return name
	}
	return path[strings.LastIndexByte(path, '.')+1:]
}

// Bounds of an object that a watch shows so often that nobody reports progress so fast, as in audit logs
// (self-update-loop): four times a second for 20 s.
const (
	watchedWrites = 200
	watchedRate   = 4
	watchedLasts  = 20 * time.Second
)

// watchedFast is status-churn of an object of which a watch shows many versions a second.
func watchedFast(c *kube.Cluster, m *kube.Meta) (rules.Finding, bool) {
	h := m.History
	if h == nil || h.Versions < watchedWrites || h.First.Input != h.Last.Input || m.Kind == "Pod" || ownHeartbeat(m) ||
		len(h.Fields) == 0 || mirrors(m, &h.Fields[0]) {
		return rules.Finding{}, false
	}
	lasts := c.Watched(h.First.Input)
	rate := float64(h.Versions) / lasts.Seconds()
	if lasts < watchedLasts || rate < watchedRate || h.Fields[0].Flips >= fightFlips {
		return rules.Finding{}, false
	}
	f := historyFinding(m, h, rules.Medium, rules.ConfMedium)
	titlePace(m, &f, rate)
	f.Why = fmt.Sprintf("A watch shows %d versions of %s in %s, far more than reports of progress need. "+
		"From one version to the next, %s changes.", h.Versions, kindName(m.Ref), phrase.Spell(lasts), someFields(h))
	return f, true
}
