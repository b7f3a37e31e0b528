package account

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
)

// IsInit reports whether a function initialises a package: its variables, or an init function. Nothing is passed to it.
func IsInit(fn string) bool {
	_, rest := symbol.SplitPackage(fn)
	rest, _, _ = strings.Cut(strings.TrimPrefix(rest, "init."), ".")
	return rest == "init" || len(rest) > 0 && strings.Trim(rest, "0123456789") == ""
}

// OfLibrary adds the case that chooses texts for a culprit in other people's code, which nobody changes to get a
// service going again, and what they name: the {library}, what started the goroutine ({libraryStart}), the program's
// call that leads there ({yours}) and what that calls ({libraryCall}).
//
//	library nested  a call of that package, {libraryOuter}, called the program back, which called it again
//	library called  the program called the library
//	library alone   the stack shows no code of the program
func (f *Facts) OfLibrary(bl rules.Blame) {
	at := slices.IndexFunc(bl.Path, func(p rules.PathFrame) bool {
		return p.Function == bl.Culprit.Function && p.Line == bl.Culprit.Line
	})
	if at < 0 || IsInit(bl.Culprit.Function) || bl.Path[at].Class != "dependency" && bl.Path[at].Class != "vendored" {
		return
	}
	pkg := symbol.PackageOf(bl.Path[at].Function)
	values := Values{
		"library":      symbol.Unescape(pkg[symbol.VendorEnd(pkg):]),
		"libraryStart": symbol.ShortFunc(cmp.Or(bl.Creator, bl.Culprit.Function)),
	}
	how := "library alone"
	own := at - 1 // the program's innermost call that leads there
	for own >= 0 && bl.Path[own].Class != "own" {
		own--
	}
	if own >= 0 {
		p := bl.Path[own]
		how = "library called"
		values["yours"] = rules.PlaceText(rules.Place{Function: p.Function, File: p.File, Line: p.Line})
		values["libraryCall"] = symbol.ShortFunc(bl.Path[own+1].Function)
		entered := slices.IndexFunc(bl.Path[:own], func(p rules.PathFrame) bool {
			return symbol.PackageOf(p.Function) == pkg
		})
		if entered >= 0 {
			how = "library nested"
			values["libraryOuter"] = symbol.ShortFunc(bl.Path[entered].Function)
		}
	}
	f.Cases = append(slices.Clip(f.Cases), how)
	all := maps.Clone(f.Values)
	if all == nil {
		all = Values{}
	}
	maps.Copy(all, values)
	f.Values = all
}
