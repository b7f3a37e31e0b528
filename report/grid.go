package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gotriage/triage/rules/phrase"
)

// A gridRow is a place with numbers: a count for each dump, what changed.
type gridRow struct {
	cells []string // right-aligned, but for the last one where it is a word
	name  string   // the function, never cut
	at    string
	tail  string // gives way where there is no room
	style string // of the cells
	under string // below the function's name, behind verb
	verb  string
}

// gridCell is how wide a column of counts is at least: "123,456", and two between.
const gridCell = 9

// grid writes rows, which have equally many cells of at least so many columns, under heads, one for each cell or none
// at all. Where function and place don't fit beside the numbers they are on a line of their own above them: neither is
// ever cut.
func (v *view) grid(heads []string, rows []gridRow, least int) {
	if len(rows) == 0 {
		return
	}
	cells := [][]string{heads}
	for _, r := range rows {
		cells = append(cells, r.cells)
	}
	names := widest(slices.Values(rows), func(r gridRow) string { return r.name })
	places := widest(slices.Values(rows), func(r gridRow) string { return r.at })
	widths, lead := columnWidths(cells, least), 2
	for _, w := range widths {
		lead += w
	}
	stacked := lead+names+2+places > v.width
	if len(heads) > 0 {
		v.line(span{text: v.cells(heads, widths), style: v.colour.Dim})
	}
	for _, r := range rows {
		numbers := v.cells(r.cells, widths)
		if stacked {
			v.line(plain(v.withTail("  "+strings.TrimRight(r.name+"  "+r.at, " "), r.tail)))
			v.line(span{text: numbers, style: r.style})
			v.underRow(r, 4)
			continue
		}
		full := v.withTail(numbers+"  "+pad(r.name, names)+"  "+pad(r.at, places), r.tail)
		v.line(span{text: numbers, style: r.style}, plain(strings.TrimPrefix(full, numbers)))
		v.underRow(r, lead)
	}
}

func (v *view) underRow(r gridRow, indent int) {
	if r.under == "" {
		return
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
func signed(n int) string { return given(n > 0, "+") + phrase.Number(n) }

// stackRow is a stack's row without its cells; behind the place are the state and the role.
func (v *view) stackRow(function, file string, line int, wait, role string) gridRow {
	return gridRow{
		name: cmp.Or(v.shortFunction(function), noStack), at: v.place(file, line),
		tail: "[" + v.escape(wait) + "]" + behind(" ", v.escape(role)),
	}
}
