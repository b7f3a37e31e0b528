package rules

import (
	"fmt"
	"strings"

	"github.com/gotriage/triage/stackparse/frame"
)

// blameCaller moves the blame from a well-known library to the code that called it: the caller decides what the
// library gets, how long it waits and under which lock. The title still says what the library does, and adds who
// called it. Each caller of a library has a finding of its own: the fingerprint has both.
//
// The library keeps the blame where no other code called it, where several functions did, where it is a part of the
// program that a dependency called, in a race, which has two sides, and where the caller's name does not fit the title.
func (f *Finding) blameCaller(p *Pass) {
	step := f.culpritStep()
	if step == nil || step.Caller.Function == "" || f.Category == RaceCat || calledByOthers(p, f.Culprit, step.Caller) {
		return
	}
	title := calledBy(f.Title, f.Culprit, step.Caller)
	if title == "" {
		return
	}
	library := f.Culprit
	f.Title, f.Culprit = title, step.Caller
	both := Place{Function: f.Culprit.Function + " " + library.Function}
	f.Fingerprint = Fingerprint(f.Rule, both, f.Creator)
	ofLibrary := strings.Contains(f.Fix, PlaceName(library)) || strings.Contains(f.Fix, PlaceLine(library))
	if ofLibrary && !strings.Contains(f.Fix, PlaceLine(f.Culprit)) {
		f.Fix = fmt.Sprintf("Check how %s calls %s: with which arguments, how often and under which lock.",
			PlaceText(f.Culprit), PlaceName(library))
	}
}

// culpritStep is the culprit's step nearest the leaf, nil where the path doesn't have it.
func (f *Finding) culpritStep() *PathFrame {
	for i := len(f.Path) - 1; i >= 0; i-- {
		p := &f.Path[i]
		if p.Function == f.Culprit.Function && p.File == f.Culprit.File && p.Line == f.Culprit.Line {
			return p
		}
	}
	return nil
}

// calledByOthers reports whether a stack of the pass that is blamed on the same function of a library has another
// caller.
func calledByOthers(p *Pass, library, caller Place) bool {
	for _, d := range p.Dumps {
		for _, b := range d.Buckets {
			if BlameBucket(d, b).Culprit.Function == library.Function &&
				BlameCaller(d, b).Culprit.Function != caller.Function {
				return true
			}
		}
	}
	return false
}

// callerOf is the index of the frame that called the library or framework at frames[at]: the nearest towards the entry
// that may be at fault. It is -1 where frames[at] is other code, where no frame is known to be the caller, and where
// frames[at] is the program's and a dependency called it.
func callerOf(s StackCode, shown []int, at int) int {
	if at < 0 || !s.calledInto(at) {
		return -1
	}
	for _, i := range shown {
		f := &s.frames[i]
		switch {
		case i <= at:
		case f.Elided != 0:
			return -1
		case f.Func == "" || !Blameable(s.Class(i)) || s.calledInto(i):
		case s.Class(at) == frame.ClassOwn && s.Class(i) != frame.ClassOwn:
			return -1
		default:
			return i
		}
	}
	return -1
}

// calledInto reports whether the i-th frame is code that programs call and wait in, a framework or a library.
func (s StackCode) calledInto(i int) bool { return s.Framework(i) || s.Library(i) }

// calledBy adds the caller to a title about a library, which gives up its line and then its package for it; "" where
// that is not enough.
func calledBy(title string, library, caller Place) string {
	name, bare, at := TitleParts(library)
	by, _, where := TitleParts(caller)
	by = ", called by " + by
	short := strings.Replace(title, at, "", 1)
	shorter := strings.Replace(short, name, bare, 1)
	return FirstTitle("", title+by+where, short+by+where, shorter+by+where, short+by, shorter+by)
}
