package report

import "strings"

// A gridRow is a place with numbers: a count for each dump, what changed.
type gridRow struct {
	cells []string // right-aligned, but for the last one where it is a word
	name  string   // the function, never cut
	at    string
	tail  string // gives way where there is no room
	style string // of the cells
}

// gridCell is how wide a column of numbers is at least: "123,456", and two between.
const gridCell = 9

// grid writes rows, which have equally many cells, under heads, one for each cell or none at all. Where function and
// place don't fit beside the numbers they are on a line of their own above them: neither is ever cut.
func (v *view) grid(heads []string, rows []gridRow) {
	if len(rows) == 0 {
		return
	}
	widths := make([]int, len(rows[0].cells))
	for i := range widths {
		widths[i] = gridCell
		if i < len(heads) {
			widths[i] = max(gridCell, width(heads[i])+2)
		}
		for _, r := range rows {
			widths[i] = max(widths[i], width(r.cells[i])+2)
		}
	}
	numbers, names, places := 0, 0, 0
	for _, w := range widths {
		numbers += w
	}
	for _, r := range rows {
		names, places = max(names, width(r.name)), max(places, width(r.at))
	}
	stacked := numbers+2+names+2+places > v.width
	if len(heads) > 0 {
		v.line(span{text: v.cells(heads, widths), style: v.colour.Dim})
	}
	for _, r := range rows {
		numbers := v.cells(r.cells, widths)
		if stacked {
			v.line(plain(v.withTail("  "+strings.TrimRight(r.name+"  "+r.at, " "), r.tail)))
			v.line(span{text: numbers, style: r.style})
			continue
		}
		text := "  " + strings.TrimRight(pad(r.name, names)+"  "+pad(r.at, places), " ")
		if r.tail != "" {
			text = "  " + pad(r.name, names) + "  " + pad(r.at, places)
		}
		full := v.withTail(numbers+text, r.tail)
		v.line(span{text: numbers, style: r.style}, plain(strings.TrimPrefix(full, numbers)))
	}
}

func (v *view) cells(cells []string, widths []int) string {
	var b strings.Builder
	for i, c := range cells {
		b.WriteString(padLeft(c, widths[i]))
	}
	return b.String()
}

// withTail adds tail behind text as far as the line has room for it.
func (v *view) withTail(text, tail string) string {
	if room := v.width - width(text) - 2; tail != "" && (room >= 8 || width(tail) <= room) {
		return text + "  " + cut(tail, room, v.glyphs.ellipsis)
	}
	return text
}

// signed writes a change: "+1,028", "-3", "0".
func signed(n int) string {
	if n > 0 {
		return "+" + Number(n)
	}
	return Number(n)
}

// waitTail is what is behind a place: the state, and the role of goroutines that have one.
func (v *view) waitTail(wait, role string) string {
	s := "[" + v.escape(wait) + "]"
	if role != "" {
		s += " " + v.escape(role)
	}
	return s
}
