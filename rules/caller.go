package rules

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/stackparse/frame"
)

// blameCaller moves the blame from a well-known library to the code that called it: the caller decides what the
// library gets, how long it waits and under which lock. The title still says what the library does, and adds who
// called it. Where no other code called the library, the library is blamed.
func (f *Finding) blameCaller() {
	at := f.culpritStep()
	if at < 0 || !f.Path[at].CalledInto {
		return
	}
	for _, p := range slices.Backward(f.Path[:at]) {
		if p.CalledInto || p.Function == "" || p.Class == "runtime" || p.Class == "stdlib" {
			continue
		}
		library := f.Culprit
		f.Culprit = PlaceOf(frame.Frame{Func: p.Function, File: p.File, Line: p.Line})
		f.Title = calledBy(f.Title, library, f.Culprit)
		return
	}
}

// culpritStep is the index of the culprit's step nearest the leaf, -1 where the path doesn't have it.
func (f *Finding) culpritStep() int {
	for i, p := range slices.Backward(f.Path) {
		if p.Function == f.Culprit.Function && p.File == f.Culprit.File && p.Line == f.Culprit.Line {
			return i
		}
	}
	return -1
}

// calledBy adds the caller to a title about a library, which gives up its own line where both don't fit.
func calledBy(title string, library, caller Place) string {
	_, _, at := TitleParts(library)
	short := strings.Replace(title, at, "", 1)
	name, bare, where := TitleParts(caller)
	return FirstTitle(title, title+", called by "+name+where, short+", called by "+name+where,
		short+", called by "+bare+where, short+", called by "+name, short+", called by "+bare)
}
