package convert

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/triage/schema"
)

// maxWriters is how many writers of objects are listed: the bound of the contract's other lists.
const maxWriters = 100

// maxTalkers is how many clients are listed. Chosen: more than a reader needs.
const maxTalkers = 20

// Audit sums up the audit logs for the report; nil where there are none.
func Audit(t *audit.Trail) *schema.Audit {
	if t == nil || t.Events == 0 {
		return nil
	}
	out := &schema.Audit{
		Events: t.Events, Servers: len(t.Servers), First: stamp(t.First), Last: stamp(t.Last), Levels: []schema.Tally{},
		Writers: writersOf(t), Talkers: []schema.Tally{}, Limits: append([]string{}, t.Limits...),
	}
	for _, l := range t.Levels {
		out.Levels = append(out.Levels, schema.Tally{Name: l.Name, Count: l.N})
	}
	agents := map[string]int64{}
	for i := range t.Actors {
		a := &t.Actors[i]
		agents[cmp.Or(a.Agent, a.Name())] += a.Requests
		out.Writes += a.Writes
	}
	talkers := talliesOf(agents)
	out.Talkers = append(out.Talkers, talkers[:min(len(talkers), maxTalkers)]...)
	return out
}

// Refused are the records in audit logs that are no events of an API server, with what to give triage instead.
func Refused(t *audit.Trail) []schema.Skipped {
	if t == nil {
		return nil
	}
	var all []schema.Skipped
	for _, r := range t.Refused {
		all = append(all, schema.Skipped{Path: r.Place.Path, Reason: fmt.Sprintf("%d %s", r.Count, r.Reason),
			Hint: r.Hint})
	}
	return all
}

// stamp writes a trail's time, microseconds since 1970; "" for none.
func stamp(micros int64) string {
	if micros == 0 {
		return ""
	}
	return time.UnixMicro(micros).UTC().Format(time.RFC3339Nano)
}

// minWrites is how many writes of one actor to one object make a row; chosen: fewer repeat nothing.
const minWrites = 5

// writersOf are the actors with most writes to one object.
func writersOf(t *audit.Trail) []schema.Writer {
	type key struct{ object, actor int32 }
	type tally struct {
		schema.Writer
		changes map[int32]bool
	}
	rows := map[key]*tally{}
	for i := range t.Writes {
		w := &t.Writes[i]
		k := key{w.Object, w.Actor}
		row := rows[k]
		if row == nil {
			row = &tally{Writer: schema.Writer{First: stamp(w.Time)}, changes: map[int32]bool{}}
			rows[k] = row
		}
		row.Writes++
		row.Last = stamp(w.Time)
		switch {
		case w.Code == 409:
			row.Conflicts++
		case w.OK() && w.In != 0 && w.In == w.Out:
			row.NoOps++
		}
		row.changes[w.Change] = true
	}
	all := []schema.Writer{}
	for k, row := range rows {
		if row.Writes < minWrites {
			continue
		}
		o := &t.Objects[k.object]
		row.Actor, row.Resource, row.Namespace, row.Name = t.Actors[k.actor].Name(), o.Resource, o.Namespace, o.Name
		row.Fields = fieldsOf(t, row.changes)
		all = append(all, row.Writer)
	}
	slices.SortFunc(all, func(a, b schema.Writer) int {
		return cmp.Or(cmp.Compare(b.Writes, a.Writes), cmp.Compare(a.Namespace, b.Namespace),
			cmp.Compare(a.Resource, b.Resource),
			cmp.Compare(a.Name, b.Name), cmp.Compare(a.Actor, b.Actor))
	})
	return all[:min(len(all), maxWriters)]
}

// maxFields is how many fields of a writer are named; chosen.
const maxFields = 5

func fieldsOf(t *audit.Trail, changes map[int32]bool) []string {
	fields := []string{}
	for c := range changes {
		fields = append(fields, t.Changes[c].Paths...)
	}
	slices.Sort(fields)
	fields = slices.Compact(fields)
	return fields[:min(len(fields), maxFields)]
}
