package report

import (
	"maps"
	"slices"

	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// blockedRows is how many lines are shown of those at which goroutines of a fleet wait.
const blockedRows = 10

// blocked writes at which lines most goroutines of a merged report's instances wait.
func (v *view) blocked() {
	m := v.r.Merged
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
			under: given(b.Instances > 1, phrase.Number(b.Most)+" of them in "+b.MostAt),
		})
	}
	v.grid([]string{"goroutines", "instances", "line"}, rows, 0)
	v.more(2, max(m.BlockedTotal, len(m.Blocked))-len(shown), "line")
}

// fleetOf is "3,000 instances: 2 namespaces, 14 workloads, 40 nodes".
func (v *view) fleetOf(m *schema.Merged) string {
	values := map[string]int{}
	for _, t := range m.Traits {
		values[t.Name]++
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if n := values[name]; n > 1 && name != "go" {
			parts = append(parts, phrase.Count(n, v.escape(name)))
		}
	}
	return phrase.Count(m.Instances, "instance") + behind(": ", phrase.List(parts))
}
