package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gotriage/triage/rules/phrase"
)

// A gridRow is a place, a pod or a role with numbers: a count for each dump, what changed.
type gridRow struct {
	mark  string   // before the cells
	cells []string // right-aligned, but for the last one where it is a word
	name  string   // the function, never cut
	at    string
	tail  string // gives way where there is no room
	body  string // beside the name, or on a line below where there is less room than for most of it
	style string // of the cells
	under string // below the function's name, behind verb
	verb  string
}

// gridCell is how wide a column of counts is at least: "123,456", and two between.
const gridCell = 9

// bodyRoom is how many columns a body needs to be beside its name.
const bodyRoom = 60

// writeGrid writes rows, which have equally many cells of at least so many columns, under heads: one for each cell, and
// one for the names; or none at all. Where function and place don't fit beside the numbers they are on a line of their
// own above them: neither is ever cut.
func (v *view) writeGrid(heads []string, rows []gridRow, least int) {
	if len(rows) == 0 {
		return
	}
	cells, n := [][]string{heads}, len(rows[0].cells)
	for _, r := range rows {
		cells = append(cells, r.cells)
	}
	of := func(text func(gridRow) string) int { return widest(slices.Values(rows), text) }
	names, places := of(func(r gridRow) string { return r.name }), of(func(r gridRow) string { return r.at })
	widths, lead := columnWidths(cells, least), 2
	for _, w := range widths {
		lead += w
	}
	stacked := lead+names+min(places, 1)*2+places > v.width
	bodies := of(func(r gridRow) string { return r.body })
	below := stacked || v.width-lead-names-2 < min(bodyRoom, bodies)
	if len(heads) > 0 {
		text := v.cells(heads[:n], widths) + prefixed("  ", strings.Join(heads[n:], ""))
		v.line(span{text: text, style: v.colour.Dim})
	}
	for _, r := range rows {
		numbers := r.mark + strings.TrimPrefix(v.cells(r.cells, widths), strings.Repeat(" ", width(r.mark)))
		full, under := numbers+"  "+pad(r.name, names)+textIf(places > 0, "  "+pad(r.at, places)), lead
		if !below {
			full = v.withTail(full, r.body)
		}
		if stacked {
			v.line(plain(v.withTail("  "+strings.TrimRight(r.name+"  "+r.at, " "), r.tail)))
			full, under, r.tail = numbers, 4, ""
		}
		v.line(span{text: numbers, style: r.style}, plain(strings.TrimPrefix(v.withTail(full, r.tail), numbers)))
		if below && r.body != "" {
			v.line(spaces(4), plain(cut(r.body, v.width-4, v.glyphs.ellipsis)))
		}
		v.writeUnderRow(r, under)
	}
}

func (v *view) writeUnderRow(r gridRow, indent int) {
	if r.under == "" {
		return
	}
	if r.verb == "" { // it begins where the name does
		indent -= 2
	}
	label := strings.Repeat(" ", indent) + r.verb
	for i, l := range v.wrapped(r.under, width(label)+2, proseLines) {
		if i > 0 {
			label = strings.Repeat(" ", width(label))
		}
		v.line(span{text: label, style: v.colour.Dim}, plain("  "), span{text: l, style: v.colour.Dim})
	}
}

// columnWidths are the widths of right-aligned columns with two between, each at least so wide.
func columnWidths(rows [][]string, least int) []int {
	widths := make([]int, len(rows[len(rows)-1]))
	for i := range widths {
		widths[i] = least
		for _, r := range rows {
			if i < len(r) {
				widths[i] = max(widths[i], width(r[i])+2)
			}
		}
	}
	return widths
}

func (v *view) cells(cells []string, widths []int) (line string) {
	for i, c := range cells {
		line += padLeft(c, widths[i])
	}
	return line
}

// withTail adds tail behind text as far as the line has room for it.
func (v *view) withTail(text, tail string) string {
	if room := v.width - width(text) - 2; tail != "" && (room >= 8 || width(tail) <= room) {
		return text + "  " + cut(tail, room, v.glyphs.ellipsis)
	}
	return text
}

// signed writes a change: "+1,028", "-3", "0".
func signed(n int) string { return textIf(n > 0, "+") + phrase.Number(n) }

// stackRow is a stack's row without its cells; behind the place are the state and the role.
func (v *view) stackRow(function, file string, line int, wait, role string) gridRow {
	return gridRow{
		name: cmp.Or(v.shortFunction(function), noStack), at: v.place(file, line),
		tail: "[" + v.escape(wait) + "]" + prefixed(" ", v.escape(role)),
	}
}
