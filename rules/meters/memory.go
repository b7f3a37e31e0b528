package meters

import (
	"fmt"
	"strings"

	"github.com/gotriage/triage/internal/cgroup"
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// nearLimit is the share of the limit that memory which can't be given back has: what files occupy is given back first.
const nearLimit = 0.95

// runMemoryLimit is memory-limit-reached (TR713).
func runMemoryLimit(p *rules.Pass) []rules.Finding {
	var found []rules.Finding
	for _, in := range p.Cgroups {
		g := parsed.Group(in)
		kills, _ := g.Get(cgroup.OOMKills)
		anon, known := g.Get(cgroup.Anon)
		limit := g.N(cgroup.MemoryMax)
		full := known && limit > 0 && anon.N >= nearLimit*limit
		if kills.N == 0 && !full {
			continue
		}
		act := "ran out of memory in its control group " + phrase.CountTimes(int(kills.N))
		if kills.N == 0 {
			act = "has used up its memory limit of " + phrase.ByteSize(uint64(limit))
		}
		f := begin("TR713", in, rules.Medium, act, "")
		f.Fix = "Limit the memory that the heap profile shows, and set GOMEMLIMIT to 90% of the limit."
		if kills.N > 0 {
			f.Why = fmt.Sprintf("The kernel killed a process of the group %s because the group's memory ran out.",
				phrase.CountTimes(int(kills.N)))
			f.Doubt("The counter does not say when that was.")
		}
		if full {
			f.Why = strings.TrimSpace(fmt.Sprintf("%s The processes' own memory takes %s of the %s limit.", f.Why,
				phrase.ByteSize(uint64(anon.N)), phrase.ByteSize(uint64(limit))))
		}
		if kills.N == 0 {
			f.Doubt("A Go process with GOMEMLIMIT runs close to its limit on purpose.")
		}
		for _, k := range []cgroup.Key{cgroup.OOMKills, cgroup.Anon, cgroup.LimitHits} {
			v, ok := g.Get(k)
			if !ok || v.N == 0 {
				continue
			}
			text := fmt.Sprintf("%s %s", k, phrase.Number(int64(v.N)))
			if k == cgroup.Anon {
				text = "memory that can't be reclaimed: " + phrase.ByteSize(uint64(v.N))
				if limit > 0 {
					text += " of " + phrase.ByteSize(uint64(limit))
				}
			}
			f.Evidence = append(f.Evidence, rules.Evidence{Input: v.Input, Line: v.Line, Text: text, Count: 1})
		}
		f.Next = []rules.Step{in.Target.Top(), in.Target.Describe()}
		found = append(found, f)
	}
	return found
}
