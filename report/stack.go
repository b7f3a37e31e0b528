package report

import (
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// A row is one line of a finding's stack: a mark, a text, and a place in a column of its own.
type row struct {
	indent                     int    // of the text; the mark is two columns before it
	mark, text, at, tag, style string // the tag follows the place
}

// stack writes a finding's evidence and then its path: leaf first, the culprit marked, down to where the goroutine
// was created.
func (v *view) stack(i int) {
	f := &v.r.Findings[i]
	rows := v.evidence(f)
	places := 0
	for _, r := range rows {
		places = max(places, width(r.at))
	}
	for j := range f.Path {
		places = max(places, width(v.place(f.Path[j].File, f.Path[j].Line)))
	}
	for _, r := range v.path(f, v.home[i], v.width-6-places) {
		r.indent = 4
		rows = append(rows, r)
	}
	v.table(rows)
}

// table writes rows with their places in one column.
func (v *view) table(rows []row) {
	column, places := 0, 0
	for _, r := range rows {
		if r.at != "" {
			column, places = max(column, r.indent+width(r.text)), max(places, width(r.at+r.tag))
		}
	}
	column = min(column, v.width-2-places)
	for _, r := range rows {
		v.row(r, column)
	}
}

// row writes a row with its place two columns after column, where the text leaves room; else right after the text, and
// if that is too wide on a line of its own.
func (v *view) row(r row, column int) {
	lead := spaces(r.indent - 2)
	mark := pad(r.mark, 2)
	switch end := r.indent + width(r.text); {
	case r.at == "":
		v.line(lead, span{text: mark + r.text, style: r.style})
	case end <= column || end+2+width(r.at+r.tag) <= v.width:
		v.line(lead, span{text: mark + pad(r.text, column-r.indent) + "  " + r.at, style: r.style},
			span{text: r.tag, style: v.colour.Dim})
	default:
		v.line(lead, span{text: mark + r.text, style: r.style})
		v.line(spaces(r.indent+4), span{text: r.at, style: r.style}, span{text: r.tag, style: v.colour.Dim})
	}
}

// path is the finding's path, leaf first, with gaps where it is long, and the creator. Functions shorten to room
// columns as far as they can.
func (v *view) path(f *rules.Finding, home *schema.Bucket, room int) []row {
	n := len(f.Path)
	leaf := func(i int) *rules.PathFrame { return &f.Path[n-1-i] } // i counts from the leaf
	culprit, own := -1, -1
	for i := range n {
		p := leaf(i)
		if culprit < 0 && p.Function == f.Culprit.Function && p.Line == f.Culprit.Line {
			culprit = i
		}
		if own < 0 && p.Class == "own" {
			own = i
		}
	}
	var rows []row
	skipped := 0
	keep := v.kept(n, culprit, own)
	for i := range n {
		if !keep[i] {
			skipped++
			continue
		}
		rows = v.gap(rows, skipped)
		skipped = 0
		p := leaf(i)
		r := row{at: v.place(p.File, p.Line), style: v.dim(p.Class)}
		r.text = v.function(p.Function, room)
		if p.Share > 0 {
			r.tag = "  " + phrase.Share(p.Share)
		}
		switch i {
		case culprit:
			r.mark, r.style = v.glyphs.mark, v.colour.Culprit
		case own:
			r.mark, r.tag = v.glyphs.own, r.tag+"  own code"
		}
		rows = append(rows, r)
	}
	rows = v.gap(rows, skipped)
	return append(rows, v.created(f, home, culprit < 0, room)...)
}

func (v *view) gap(rows []row, n int) []row {
	if n == 0 {
		return rows
	}
	return append(rows, row{text: v.glyphs.ellipsis + " " + phrase.Count(n, "frame") + " between", style: v.colour.Dim})
}

// kept chooses the frames to show of n, counted from the leaf: all while they are few, else the leaf, the culprit
// with a neighbour on either side, the nearest own one and the outermost. A gap of one frame is filled with the
// frame.
func (v *view) kept(n, culprit, own int) []bool {
	keep := make([]bool, n)
	if n <= pathFrames || v.all {
		for i := range keep {
			keep[i] = true
		}
		return keep
	}
	shown := 0
	for _, i := range []int{culprit, 0, own, n - 1, culprit - 1, culprit + 1, 1, 2, 3, 4, 5} {
		if i >= 0 && i < n && !keep[i] && shown < pathFrames-1 {
			keep[i] = true
			shown++
		}
	}
	for i := 1; i < n-1; i++ {
		if !keep[i] && keep[i-1] && keep[i+1] {
			keep[i] = true
		}
	}
	return keep
}

// created is the row of the go statement that started the goroutine. Where no frame of the path is the culprit, it
// may be.
func (v *view) created(f *rules.Finding, home *schema.Bucket, mayBeCulprit bool, room int) []row {
	by := &schema.Frame{Function: f.Creator}
	if home != nil && home.CreatedBy != nil {
		by = home.CreatedBy
	}
	if by.Function == "" {
		if mayBeCulprit && f.Culprit.Function != "" {
			return []row{v.culpritRow(f, "", room)}
		}
		return nil
	}
	isCulprit := by.Function == f.Culprit.Function && by.Line == f.Culprit.Line
	if mayBeCulprit && isCulprit {
		return []row{v.culpritRow(f, "created by ", room)}
	}
	r := row{at: v.place(by.File, by.Line)}
	r.text = "created by " + v.function(by.Function, room-len("created by "))
	if mayBeCulprit && f.Culprit.Function != "" {
		return []row{v.culpritRow(f, "", room), r}
	}
	return []row{r}
}

func (v *view) culpritRow(f *rules.Finding, prefix string, room int) row {
	r := row{mark: v.glyphs.mark, at: v.place(f.Culprit.File, f.Culprit.Line), style: v.colour.Culprit}
	r.text = prefix + v.function(f.Culprit.Function, room-len(prefix))
	return r
}
