// Package plot draws small figures of growth as SVG: panels side by side, both axes logarithmic, a colour for each
// series, a dash for each kind of line.
//
// It is plain text and no plotting library: gonum.org/v1/plot writes its colours into each element, so that a figure
// can only suit a light or a dark page, and brings a dozen modules. Here a style sheet inside the figure has both.
package plot

import (
	"encoding/xml"
	"fmt"
	"math"
	"strings"
)

// A Figure is a row of panels.
type Figure struct {
	Title  string // read by screen readers
	Panels []Panel
}

// A Panel is one pair of axes.
type Panel struct {
	X, Y  string // the axes' labels
	Lines []Line
}

// A Line is a row of points in order of X; those that are not above 0 are left out.
type Line struct {
	Name   string
	Colour int // 0 to 2
	Dashed bool
	Points [][2]float64
}

// Sizes are in pixels of the figure's own coordinates.
const (
	width, height       = 420, 330 // of a panel
	left, right         = 58, 16
	bottom, top         = 46, 14
	legendLine, fontPix = 16, 12
)

const style = `<style>
:root { --page: #ffffff; --ink: #1f2328; --soft: #d8dee4; --c0: #0b5cad; --c1: #b3470b; --c2: #1a7f37; }
@media (prefers-color-scheme: dark) {
:root { --page: #0d1117; --ink: #e6edf3; --soft: #30363d; --c0: #6cb6ff; --c1: #f0965a; --c2: #57c268; }
}
.page { fill: var(--page); }
text { fill: var(--ink); font: 12px system-ui, sans-serif; }
.grid { stroke: var(--soft); stroke-width: 1; }
.axis { stroke: var(--ink); stroke-width: 1; fill: none; }
.line { fill: none; stroke-width: 2; }
.dashed { stroke-dasharray: 5 4; }
.c0 { stroke: var(--c0); } .c1 { stroke: var(--c1); } .c2 { stroke: var(--c2); }
.dot.c0 { fill: var(--c0); } .dot.c1 { fill: var(--c1); } .dot.c2 { fill: var(--c2); }
</style>
`

// SVG returns the figure's text.
func (f Figure) SVG() string {
	most := 0
	for _, p := range f.Panels {
		most = max(most, len(p.Lines))
	}
	legend := top + most*legendLine + 8
	w, h := width*len(f.Panels), legend+height-top
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="%[2]d" `+
		`viewBox="%[3]d %[3]d %[1]d %[2]d" role="img">`+"\n", w, h, 0)
	fmt.Fprintf(&b, "<title>%s</title>\n%s", escape(f.Title), style)
	fmt.Fprintf(&b, `<rect class="page" width="%d" height="%d"/>`+"\n", w, h)
	for i, p := range f.Panels {
		fmt.Fprintf(&b, `<g transform="translate(%d,0)">`+"\n", i*width)
		p.draw(&b, legend, h-bottom)
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// draw writes a panel whose axes reach from upper to lower.
func (p Panel) draw(b *strings.Builder, upper, lower int) {
	x, y := p.scales(upper, lower)
	for _, d := range x.decades() {
		at := x.at(d)
		fmt.Fprintf(b, `<line class="grid" x1="%.1f" y1="%d" x2="%.1f" y2="%d"/>`+"\n", at, upper, at, lower)
		fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="middle">%s</text>`+"\n", at, lower+fontPix+4, number(d))
	}
	for _, d := range y.decades() {
		at := y.at(d)
		fmt.Fprintf(b, `<line class="grid" x1="%d" y1="%.1f" x2="%d" y2="%.1f"/>`+"\n", left, at, width-right, at)
		fmt.Fprintf(b, `<text x="%d" y="%.1f" text-anchor="end">%s</text>`+"\n", left-6, at+4, number(d))
	}
	fmt.Fprintf(b, `<path class="axis" d="M%d %dV%dH%d"/>`+"\n", left, upper, lower, width-right)
	fmt.Fprintf(b, `<text class="x-label" x="%d" y="%d" text-anchor="middle">%s</text>`+"\n",
		(left+width-right)/2, lower+36, escape(p.X))
	middle := (upper + lower) / 2
	fmt.Fprintf(b, `<text class="y-label" transform="translate(14,%d) rotate(-90)" text-anchor="middle">%s</text>`+"\n",
		middle, escape(p.Y))
	for i, l := range p.Lines {
		l.draw(b, x, y)
		l.legend(b, top+i*legendLine)
	}
}

func (l Line) class() string {
	c := fmt.Sprintf("c%d", l.Colour)
	if l.Dashed {
		c += " dashed"
	}
	return c
}

func (l Line) draw(b *strings.Builder, x, y scale) {
	var path strings.Builder
	for _, p := range l.Points {
		if p[0] > 0 && p[1] > 0 {
			command := "L"
			if path.Len() == 0 {
				command = "M"
			}
			fmt.Fprintf(&path, "%s%.1f %.1f", command, x.at(p[0]), y.at(p[1]))
		}
	}
	fmt.Fprintf(b, `<path class="line %s" d="%s"/>`+"\n", l.class(), path.String())
	for _, p := range l.Points {
		if p[0] > 0 && p[1] > 0 {
			fmt.Fprintf(b, `<circle class="dot c%d" cx="%.1f" cy="%.1f" r="3"/>`+"\n", l.Colour, x.at(p[0]), y.at(p[1]))
		}
	}
}

func (l Line) legend(b *strings.Builder, at int) {
	fmt.Fprintf(b, `<line class="line %s" x1="%d" y1="%d" x2="%d" y2="%d"/>`+"\n", l.class(), left, at, left+26, at)
	fmt.Fprintf(b, `<text x="%d" y="%d">%s</text>`+"\n", left+34, at+4, escape(l.Name))
}

// A scale maps values between two powers of ten to pixels.
type scale struct {
	low, high float64 // decimal logarithms, whole numbers
	from, to  float64 // pixels
}

func (p Panel) scales(upper, lower int) (x, y scale) {
	x = scale{from: left, to: width - right}
	y = scale{from: float64(lower), to: float64(upper)}
	for axis, s := range []*scale{&x, &y} {
		s.low, s.high = math.Inf(1), math.Inf(-1)
		for _, l := range p.Lines {
			for _, v := range l.Points {
				if v[axis] > 0 {
					s.low = min(s.low, math.Floor(math.Log10(v[axis])+1e-9))
					s.high = max(s.high, math.Ceil(math.Log10(v[axis])-1e-9))
				}
			}
		}
		if s.low > s.high { // no point at all
			s.low, s.high = 0, 1
		}
		s.high = max(s.high, s.low+1)
	}
	return x, y
}

func (s scale) at(v float64) float64 {
	return s.from + (math.Log10(v)-s.low)/(s.high-s.low)*(s.to-s.from)
}

func (s scale) decades() []float64 {
	var all []float64
	for d := s.low; d <= s.high; d++ {
		all = append(all, math.Pow(10, d))
	}
	return all
}

// number is a power of ten as the axes show it: 0.01, 1, 1,000, 1M.
func number(v float64) string {
	switch {
	case v >= 0.99e9:
		return fmt.Sprintf("%.0fG", v/1e9)
	case v >= 0.99e6:
		return fmt.Sprintf("%.0fM", v/1e6)
	case v >= 0.99e3:
		return fmt.Sprintf("%.0fk", v/1e3)
	}
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%.4f", v), "0"), ".")
}

func escape(s string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		return "" // a strings.Builder takes everything
	}
	return b.String()
}
