package mcp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage"
	"github.com/gotriage/triage/triage/schema"
)

type groupsInput struct {
	inputs
	Where  string `json:"where,omitempty" jsonschema:"a condition on groups: state == \"select\" and minutes > 10"`
	Limit  int    `json:"limit,omitempty" jsonschema:"how many groups, 20 by default, 100 at most"`
	Cursor string `json:"cursor,omitempty" jsonschema:"where the previous answer ended"`
}

const (
	groupsLimit    = 20
	maxGroupsLimit = 100
	groupFrames    = 12
)

// A row is one group with its id.
type row struct {
	id string
	*schema.Bucket
}

func (t *tools) groups(ctx context.Context, in groupsInput) (string, error) {
	r, err := t.read(ctx, in.inputs)
	if err != nil {
		return "", err
	}
	rows, err := rowsOf(r, in.Where)
	if err != nil {
		return "", err
	}
	from := 0
	if in.Cursor != "" {
		if from, err = strconv.Atoi(in.Cursor); err != nil || from < 0 || from > len(rows) {
			return "", fmt.Errorf("the cursor %q is not from an earlier answer", in.Cursor)
		}
	}
	limit := min(cmp.Or(max(in.Limit, 0), groupsLimit), maxGroupsLimit)
	shown := rows[from:min(from+limit, len(rows))]
	goroutines := 0
	for _, g := range rows {
		goroutines += g.Count
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s in %s match\n", phrase.Count(goroutines, "goroutine"), phrase.Count(len(rows), "group"))
	for i, g := range shown {
		text := groupText(g)
		if b.Len()+len(text) > maxAnswer-len(cutNote)-100 && i > 0 {
			shown = shown[:i]
			break
		}
		b.WriteString(text)
	}
	if next := from + len(shown); next < len(rows) {
		fmt.Fprintf(&b, "MORE: cursor %d\n", next)
	}
	return b.String(), nil
}

// rowsOf are the groups of all dumps for which the condition holds: those without a role first, then the largest.
func rowsOf(r *triage.Report, where string) (rows []row, err error) {
	keep := func(*schema.Bucket) (bool, error) { return true, nil }
	if where != "" {
		if keep, err = triage.Condition(where); err != nil {
			return nil, err
		}
	}
	for d := range r.Dumps {
		for g := range r.Dumps[d].Buckets {
			bucket := &r.Dumps[d].Buckets[g]
			ok, err := keep(bucket)
			if err != nil {
				return nil, err
			}
			if ok {
				rows = append(rows, row{groupID(d, g), bucket})
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		if (a.Role == "") != (b.Role == "") {
			return cmp.Compare(len(a.Role), len(b.Role))
		}
		return cmp.Compare(b.Count, a.Count)
	})
	return rows, nil
}

// groupText is a group with its stack.
func groupText(g row) string {
	role := cmp.Or(g.Role, "unknown")
	lines := []string{fmt.Sprintf("%d x [%s] up to %d min, role %s, goroutines %s", g.Count, name(g.State),
		g.Minutes.Max, name(role), ids(g.Goroutines))}
	for i, f := range g.Frames {
		if i == groupFrames {
			lines = append(lines, fmt.Sprintf("  +%d frames", len(g.Frames)-i))
			break
		}
		if f.Elided != 0 {
			lines = append(lines, fmt.Sprintf("  (%s elided by the runtime)", phrase.Count(f.Elided, "frame")))
			continue
		}
		lines = append(lines, fmt.Sprintf("  %s (%s:%d)", name(f.Function), name(f.File), f.Line))
	}
	if g.CreatedBy != nil {
		lines = append(lines, "  created by "+name(g.CreatedBy.Function))
	}
	return "GROUP " + g.id + " " + untrusted(lines)
}

// ids prints the first of some goroutines' ids.
func ids(all []uint64) string {
	var parts []string
	for _, id := range all {
		parts = append(parts, strconv.FormatUint(id, 10))
	}
	return cmp.Or(phrase.Some(parts, 8), "without ids")
}

type blockersInput struct {
	inputs
	ID string `json:"id" jsonschema:"a goroutine's number, or a group: d1.g3"`
}

// maxChain bounds how far blockers follows holders that wait themselves.
const maxChain = 20

func (t *tools) blockers(ctx context.Context, in blockersInput) (string, error) {
	r, err := t.read(ctx, in.inputs)
	if err != nil {
		return "", err
	}
	from, err := goroutinesOf(r, in.ID)
	if err != nil {
		return "", err
	}
	var lines []string
	for i := range r.Dumps {
		for _, l := range chain(&r.Dumps[i], from[i]) {
			lines = append(lines, fmt.Sprintf("d%d: %s", i+1, l))
		}
	}
	if len(lines) == 0 {
		return "Nothing in the inputs shows what it waits for, or which goroutine holds that.\n", nil
	}
	return untrusted(lines), nil
}

// goroutinesOf are the goroutines that an id names, by the index of their dump: a number is looked for in all dumps,
// since it is the same goroutine in each dump of one process; a group is one dump's.
func goroutinesOf(r *triage.Report, id string) (map[int][]uint64, error) {
	from := map[int][]uint64{}
	if n, err := strconv.ParseUint(id, 10, 64); err == nil {
		for d := range r.Dumps {
			from[d] = []uint64{n}
		}
		return from, nil
	}
	for d := range r.Dumps {
		for g := range r.Dumps[d].Buckets {
			if groupID(d, g) == id {
				from[d] = r.Dumps[d].Buckets[g].Goroutines
				return from, nil
			}
		}
	}
	return nil, fmt.Errorf("%q is neither a goroutine's number nor a group in these inputs (d1.g3)", id)
}

// groupID names a group by the indexes of its dump and its bucket.
func groupID(dump, bucket int) string { return fmt.Sprintf("d%d.g%d", dump+1, bucket+1) }

// chain follows from goroutines that wait to candidates for the holders, until one waits for nothing that is known or
// was there before: a cycle.
func chain(d *schema.Dump, from []uint64) (lines []string) {
	seen := map[uint64]bool{}
	for range maxChain {
		var next []uint64
		for i := range d.Waits {
			w := &d.Waits[i]
			waiting := slices.IndexFunc(from, func(id uint64) bool { return slices.Contains(w.Goroutines, id) })
			if waiting < 0 {
				continue
			}
			line := fmt.Sprintf("goroutine %d waits for %s %s with %s", from[waiting], w.Kind, w.Object,
				phrase.Count(w.Waiters-1, "other"))
			if w.BlockedBy != "" {
				line += "; blocked by " + w.BlockedBy
			}
			for _, h := range w.Holders {
				line += fmt.Sprintf("; candidate holder goroutine %d (confidence %s)", h.Goroutine, h.Confidence)
				if seen[h.Goroutine] || slices.Contains(from, h.Goroutine) {
					line += ", which closes a cycle"
					continue
				}
				next = append(next, h.Goroutine)
			}
			lines = append(lines, line)
		}
		for _, id := range from {
			seen[id] = true
		}
		if from = next; len(from) == 0 {
			break
		}
	}
	return lines
}
