package report

import (
	"cmp"
	"strings"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/triage/schema"
)

// What is shown of meters without TextOptions.All.
const (
	meterRows = 4
	usageRows = 3 // of kubectl top
)

// writeMeters writes what metrics, control groups and kubectl top show of processes, one row each.
func (v *view) writeMeters() {
	if len(v.report.Meters) == 0 {
		return
	}
	v.section("MEASURED", "facts from metrics, control groups and kubectl; not findings")
	room, hidden, last := map[bool]int{true: usageRows, false: meterRows}, 0, ""
	for m := range pointers(v.report.Meters) {
		top := m.Kind == string(ingest.KindKubectlText)
		if room[top] == 0 && !v.all {
			hidden++
			continue
		}
		room[top]--
		var facts []string
		for f := range pointers(m.Facts) {
			facts = append(facts, cmp.Or(f.Text, f.Name))
		}
		text := v.measured(m) + ": " + strings.Join(facts, "; ")
		if text != last { // metrics that were taken twice may show the same
			v.hanging(text, 2, 0)
		}
		last = text
	}
	v.more(2, hidden, "row")
}

// measured names what a meter is of: its pod, node or input.
func (v *view) measured(m *schema.Meter) string {
	if m.Pod == "" && m.Node != "" && m.Kind == string(ingest.KindKubectlText) {
		return "node " + v.escape(m.Node)
	}
	if m.Pod != "" {
		return v.escape(joined("/", m.Namespace, m.Pod, m.Container))
	}
	return v.at(m.Input, 0)
}
