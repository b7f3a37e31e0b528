package page

import (
	"strings"

	"github.com/gotriage/triage/report"
)

// Bounds of texts: longer ones come from generators, or are made to fill a page. The report's block has them whole.
const (
	maxName = 300 // characters of a name
	maxText = 8_000
)

// safe is a text from the inputs as the page shows it, cut where it is too long.
func safe(s string) string {
	if len(s) <= maxText {
		return report.Escape(s)
	}
	runes := []rune(report.Escape(strings.ToValidUTF8(s[:maxText], "")))
	return string(runes[:min(len(runes), maxText)]) + "…"
}

// cutName is a name as the page shows it: of a long one the end, in which functions of a package differ.
func cutName(name string) string {
	if len(name) > 4*maxName {
		name = strings.ToValidUTF8(name[len(name)-4*maxName:], "")
	}
	runes := []rune(report.Escape(name))
	if len(runes) <= maxName {
		return string(runes)
	}
	return "…" + string(runes[len(runes)-maxName:])
}
