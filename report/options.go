package report

import "github.com/gotriage/triage/rules"

// A Palette holds the SGR parameters ("1;31") that paint the parts of a text report. The zero value paints nothing.
// Colour never carries meaning alone: what it marks is written in words or by a mark beside it.
type Palette struct {
	Severe, Medium, Low, Info string // the severity words; critical and high are severe
	Heading                   string // VERDICT and the sections' names
	Culprit                   string // the guilty line
	Dim                       string // runtime and standard library frames, rule ids, places
}

// DefaultPalette uses the terminal's own eight colours, so that it follows light and dark themes.
func DefaultPalette() Palette {
	return Palette{Severe: "1;31", Medium: "1;33", Low: "1;36", Info: "1", Heading: "1",
		Culprit: "1", Dim: "2"}
}

func (p Palette) severity(s rules.Severity) string {
	switch s {
	case rules.Critical, rules.High:
		return p.Severe
	case rules.Medium:
		return p.Medium
	case rules.Low:
		return p.Low
	}
	return p.Info
}

// glyphs are the few characters of a text report that are not ASCII.
type glyphs struct{ mark, own, ellipsis, dot string }

func glyphsOf(ascii bool) glyphs {
	if ascii {
		return glyphs{mark: ">", own: "-", ellipsis: "...", dot: "-"}
	}
	return glyphs{mark: "▶", own: "▷", ellipsis: "…", dot: "·"}
}

// TextOptions choose how a text report looks. The zero value is plain text of 100 columns.
type TextOptions struct {
	Width int  // columns of the terminal; 0 for 100
	Color bool // paint with DefaultPalette
	All   bool // every finding in full, every group with its frames, every role, rule and line
	ASCII bool // no character beyond ASCII, for terminals without UTF-8
}

// Bounds on what the report shows without TextOptions.All: together they keep a report with one finding on one screen
// of 45 lines.
const (
	fullFindings = 3
	lineFindings = 20
	pathFrames   = 6
	evidenceRows = 3
	shownIDs     = 4
	inputRows    = 6
	roleRows     = 6
	noRoleRows   = 5
	waitRows     = 5
	runnableRows = 5
	skippedRows  = 5
	proseLines   = 5   // of a why, a fix, a reason
	maxTitle     = 200 // columns of a finding's title: twice what its contract allows
	maxFunction  = 300 // columns of a function's name: far beyond real ones, so that only made up ones are cut
)
