package report

import (
	"maps"
	"slices"
	"strconv"

	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// blockedRows is how many lines are shown of those at which goroutines of a fleet wait.
const blockedRows = 10

// writeBlocked writes at which lines most goroutines of a merged report's instances wait.
func (v *view) writeBlocked() {
	m := v.report.Merged
	if m == nil || m.BlockedTotal == 0 {
		return
	}
	v.section("BLOCKED", "goroutines outside their usual roles, by the line at which they wait")
	shown := m.Blocked[:v.fitting(len(m.Blocked), blockedRows)]
	rows := make([]gridRow, 0, len(shown))
	for b := range pointers(shown) {
		rows = append(rows, gridRow{
			cells: []string{phrase.Number(b.Goroutines), phrase.Number(b.Instances)},
			name:  v.shortFunction(b.Function), at: v.place(b.File, b.Line),
			tail:  "[" + v.escape(b.Wait) + "]",
			under: textIf(b.Instances > 1, phrase.Number(b.Most)+" of them in "+b.MostAt),
		})
	}
	v.writeGrid([]string{"goroutines", "instances", "line"}, rows, 0)
	v.more(2, max(m.BlockedTotal, len(m.Blocked))-len(shown), "line")
}

// Fleet is "3,000 reports about 3,000 instances: 2 namespaces, 14 workloads, 40 nodes", or "1 report (part 1/7) about
// 430 instances".
func Fleet(m *schema.Merged) string {
	values := map[string]int{}
	for _, t := range m.Traits {
		values[t.Name]++
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if n := values[name]; n > 1 && name != "go" {
			parts = append(parts, phrase.Count(n, name))
		}
	}
	part := ""
	if m.Reports == 1 && len(m.Shards) == 1 && m.Shards[0].Of > 1 {
		part = partText(m.Shards[0])
	}
	return phrase.Count(m.Reports, "report") + phrase.InBrackets(part) + " about " +
		phrase.Count(m.Instances, "instance") + prefixed(": ", phrase.List(parts))
}

func partText(s schema.Shard) string {
	return "part " + strconv.Itoa(s.Index) + "/" + strconv.Itoa(s.Of)
}

// FleetNotes are what a reader of a merged report's counts has to know: parts that lack a report or have several, and
// what found no room. all names every part.
func FleetNotes(m *schema.Merged, all bool) (notes []string) {
	p := printer{all: all}
	of := func(shards []schema.Shard) string {
		return p.some(len(shards), len(shards), shownIDs, func(i int) string {
			return partText(shards[i])
		})
	}
	if missing := m.MissingShards(); len(missing) > 0 {
		notes = append(notes, "no report of "+of(missing))
	}
	if repeated := m.RepeatedShards(); len(repeated) > 0 {
		notes = append(notes, "several reports of "+of(repeated)+": counts are too high if they cover the same inputs")
	}
	if m.Known > 0 {
		notes = append(notes, phrase.Count(m.Known, "finding")+" left out: "+
			"a baseline has them too, or they are ignored")
	}
	if m.Cut > 0 {
		notes = append(notes, phrase.Number(m.Cut)+" findings, suspects or lines left out: "+
			"there are too many distinct ones")
	}
	return notes
}
