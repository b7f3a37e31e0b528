package page

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// A waitDrawing draws who blocks whom in one dump: objects with their waiters at the left, candidates for their
// holders, and what these wait for, to the right. Coordinates are SVG's, in pixels.
type waitDrawing struct {
	Input         string
	Width, Height int
	Boxes         []drawnNode
	Lines         []line
	More          int // objects that are left out
	// Rows say the same in words, for who can't see the drawing.
	Rows []waitRow
}

type waitRow struct{ Object, Waiters, Holders, BlockedBy string }

// A drawnNode is a node of a drawing.
type drawnNode struct {
	X, Y, W, H int
	Class      string // css: waiters, object, holder, root
	Text, Sub  string
}

// A line is an edge with an arrow at its end.
type line struct{ D, Class string }

const (
	// maxWaits bounds the objects of a drawing: reach for a table beyond some 20 of them.
	maxWaits       = 20
	maxWaitDumps   = 4
	boxW, boxH     = 220, 44
	gapX, gapY     = 90, 18
	backGap        = 8 // of an edge back from the lower corners of its boxes
	textColumns    = 30
	maxWaitHolders = 3
)

func (m *model) drawWaits(r *schema.Report) (list []waitDrawing) {
	for i := range r.Dumps {
		d := &r.Dumps[i]
		var waits []*schema.Wait
		for j := range d.Waits {
			if w := &d.Waits[j]; len(w.Holders) > 0 || w.BlockedBy != "" {
				waits = append(waits, w)
			}
		}
		if len(waits) == 0 || len(list) == maxWaitDumps {
			continue
		}
		slices.SortStableFunc(waits, func(a, b *schema.Wait) int { return cmp.Compare(b.Waiters, a.Waiters) })
		list = append(list, drawWait(m.At(d.Input, 0), waits))
	}
	return list
}

func drawWait(input string, waits []*schema.Wait) waitDrawing {
	shown := waits[:min(len(waits), maxWaits)]
	out := waitDrawing{Input: input, More: len(waits) - len(shown)}
	y := gapY
	at := map[uint64]drawnNode{} // a holder that holds several objects is one box
	for _, w := range shown {
		row := waitRow{
			Object:  safe(strings.TrimSpace(w.Kind + " " + w.Object)),
			Waiters: phrase.Count(int64(w.Waiters), "goroutine"), BlockedBy: safe(w.BlockedBy),
		}
		top := y
		waiters := drawnNode{X: 0, Y: y, W: boxW, H: boxH, Class: "waiters", Text: row.Waiters, Sub: waiting(w)}
		object := drawnNode{
			X: boxW + gapX, Y: y, W: boxW, H: boxH, Class: "object", Text: clip(w.Kind), Sub: clip(w.Object),
		}
		out.Boxes = append(out.Boxes, waiters, object)
		out.Lines = append(out.Lines, edge(waiters, object, ""))
		var names []string
		for k, h := range w.Holders {
			name := "goroutine " + strconv.FormatUint(h.Goroutine, 10)
			names = append(names, name+" (confidence "+h.Confidence+")")
			if k >= maxWaitHolders {
				continue
			}
			holder, known := at[h.Goroutine]
			if !known {
				holder = drawnNode{X: 2 * (boxW + gapX), Y: y, W: boxW, H: boxH, Class: "holder", Text: name,
					Sub: clip(cmp.Or(w.BlockedBy, "may hold it"))}
				at[h.Goroutine] = holder
				out.Boxes = append(out.Boxes, holder)
				y += boxH + gapY
			}
			out.Lines = append(out.Lines, edge(object, holder, h.Confidence))
		}
		if len(w.Holders) == 0 {
			root := drawnNode{X: 2 * (boxW + gapX), Y: y, W: boxW, H: boxH, Class: "root", Text: clip(w.BlockedBy)}
			out.Boxes = append(out.Boxes, root)
			out.Lines = append(out.Lines, edge(object, root, ""))
		}
		row.Holders = strings.Join(names, ", ")
		out.Rows = append(out.Rows, row)
		y = max(y, top+boxH+gapY)
	}
	out.Lines = append(out.Lines, backEdges(shown, at, out.Boxes)...)
	out.Width, out.Height = 3*boxW+2*gapX+2, y+2
	return out
}

// edge is a curve from the right side of a to the left side of b.
func edge(a, b drawnNode, class string) line {
	x1, y1, x2, y2 := a.X+a.W, a.Y+a.H/2, b.X, b.Y+b.H/2
	mid := (x1 + x2) / 2
	return line{D: fmt.Sprintf("M%d %dC%d %d %d %d %d %d", x1, y1, mid, y1, mid, y2, x2-6, y2), Class: class}
}

// waiting names waiters of an object.
func waiting(w *schema.Wait) string {
	var ids []string
	for _, id := range w.Goroutines {
		ids = append(ids, strconv.FormatUint(id, 10))
	}
	if len(ids) == 1 {
		return "goroutine " + ids[0]
	}
	return cmp.Or(clip(strings.Join(ids, ", ")), "waiting")
}

// backEdges lead from a holder to the object that it waits for itself, which closes a cycle.
func backEdges(waits []*schema.Wait, holders map[uint64]drawnNode, boxes []drawnNode) (lines []line) {
	var objects []drawnNode
	for _, b := range boxes {
		if b.Class == "object" {
			objects = append(objects, b)
		}
	}
	for i, w := range waits {
		for _, id := range w.Goroutines {
			if h, holds := holders[id]; holds {
				o := objects[i]
				x1, y1, x2, y2 := h.X, h.Y+h.H-backGap, o.X+o.W, o.Y+o.H-backGap
				lines = append(lines, line{D: fmt.Sprintf("M%d %dC%d %d %d %d %d %d", x1, y1, x1-gapX/2, y1, x2+gapX/2,
					y2, x2+6, y2), Class: "back"})
			}
		}
	}
	return lines
}

// clip shortens a text of a box.
func clip(s string) string { return phrase.Cut(safe(s), textColumns) }
