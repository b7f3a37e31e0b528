package convert

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// Bounds of the timelines of a report, all chosen: drawings of more can't be read.
const (
	maxTimelines      = 20
	maxTimelineWrites = 5_000
	maxTimelineFields = 20
	maxFieldValues    = 4
)

// Timelines are the writes of the objects that findings are about, in order of the findings.
func Timelines(found []rules.Finding, t *audit.Trail) (list []schema.ObjectTimeline) {
	if t.Empty() {
		return nil
	}
	type name struct{ namespace, name string }
	named := map[name][]int{}
	for i := range t.Objects {
		o := &t.Objects[i]
		named[name{o.Namespace, o.Name}] = append(named[name{o.Namespace, o.Name}], i)
	}
	seen := map[int]bool{}
	for i := range found {
		o := found[i].Object
		if o == nil || o.Name == "" || len(list) == maxTimelines {
			continue
		}
		for _, at := range named[name{o.Namespace, o.Name}] {
			if isKind(&t.Objects[at], o.Kind) && !seen[at] && len(t.ByObject[at]) > 0 {
				seen[at] = true
				list = append(list, timelineOf(t, at, *o))
				break
			}
		}
	}
	return list
}

// isKind reports whether an object of a trail is of a kind: where no body names it, by its resource.
func isKind(o *audit.Object, kind string) bool {
	if o.Kind != "" {
		return o.Kind == kind
	}
	low := strings.ToLower(kind)
	return o.Resource == low+"s" || o.Resource == low+"es" || o.Resource == strings.TrimSuffix(low, "y")+"ies"
}

func timelineOf(t *audit.Trail, at int, o rules.Object) schema.ObjectTimeline {
	out := schema.ObjectTimeline{Object: o, Total: max(t.Objects[at].Writes, int64(len(t.ByObject[at])))}
	for _, i := range t.ByObject[at][:min(len(t.ByObject[at]), maxTimelineWrites)] {
		w := &t.Writes[i]
		c := &t.Changes[w.Change]
		out.Writes = append(out.Writes, schema.ObjectWrite{
			Time: time.UnixMicro(w.Time).UTC(), Actor: t.Actors[w.Actor].Name(), Verb: w.Verb.String(),
			Subresource: t.Texts[w.Sub], Code: int(w.Code), Version: w.Out,
			Same:   w.OK() && (w.In != 0 && w.In == w.Out || w.Flags&audit.FlagBodies != 0 && c.Nothing),
			Fields: slices.Clone(c.Paths), More: c.More,
		})
	}
	for i := range t.Sets {
		s := &t.Sets[i]
		if int(s.Object) != at {
			continue
		}
		f := schema.FieldValues{Actor: t.Actors[s.Actor].Name(), Path: s.Path, Count: s.Count, Others: s.Others > 0}
		for _, v := range s.Values {
			if len(f.Values) == maxFieldValues {
				f.Others = true
				break
			}
			f.Values = append(f.Values, v.Text)
		}
		out.Fields = append(out.Fields, f)
	}
	slices.SortStableFunc(out.Fields, func(a, b schema.FieldValues) int { return cmp.Compare(b.Count, a.Count) })
	out.Fields = out.Fields[:min(len(out.Fields), maxTimelineFields)]
	return out
}
