package coded

import (
	"fmt"
	"go/types"
	"path"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/gocode"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
)

// leftLocked is left-locked-by-source (TR464).
func leftLocked() *rules.Rule {
	return &rules.Rule{
		ID: "TR464", Name: "left-locked-by-source", Category: rules.Deadlock, Severity: rules.High,
		Needs: rules.NeedsDump | rules.NeedsWaits | rules.NeedsSource,
		Run: lockScenes(func(s *lockScene) (found []rules.Finding) {
			seen := map[*types.Var]bool{}
			for _, st := range s.waiters {
				last := st.lock.Last()
				if seen[last] || !whole(s.d) {
					continue
				}
				seen[last] = true
				if f, ok := s.leftBehind(st); ok {
					found = append(found, f)
				}
			}
			return found
		}),
	}
}

// leftBehind judges a lock that goroutines wait for, of which the first is st: where no stack may hold it, and a
// function of its package returns with it on some way.
func (s *lockScene) leftBehind(st *lockStack) (rules.Finding, bool) {
	last, pkg := st.lock.Last(), st.packageOf()
	site := st.calls[st.at].Site
	if !private(st.lock) {
		return rules.Finding{}, false
	}
	var left []gocode.Left
	for _, l := range site.LeftLocked() {
		if l.Lock.Last() == last {
			left = append(left, l)
		}
	}
	if len(left) == 0 {
		return rules.Finding{}, false
	}
	var behind []*lockStack
	n := 0
	for _, w := range s.waiters {
		if w.lock.Last() == last {
			behind = append(behind, w)
			n += w.b.Count
			if w.b.Active > 0 {
				return rules.Finding{}, false // it was given the lock
			}
		}
	}
	for _, other := range s.stacks {
		if _, may := s.mayHold(other, last, pkg, left); may {
			return rules.Finding{}, false
		}
	}
	v := verdict{guilty: true}.but(s.d.Counted() && n < manyForNobody, betweenOwners)
	return s.leftFinding(st, left, behind, v), true
}

func (s *lockScene) leftFinding(st *lockStack, left []gocode.Left, behind []*lockStack, v verdict) rules.Finding {
	site := st.calls[st.at].Site
	waiting := rules.PlaceOf(st.b.Frames[st.at].Frame)
	bl := rules.BlameBucket(s.d, st.b)
	bl.Index, bl.Culprit = st.at, placeOfReturn(site, left[0], waiting)
	var ways []string
	for _, l := range left {
		file, line := site.Place(l.Return)
		_, taken := site.Place(l.Taken)
		ways = append(ways, fmt.Sprintf("%s returns at %s:%d with the lock that it takes at line %d",
			gocode.Name(l.Fn, l.Decl), file, line, taken))
	}
	ways = slices.Compact(ways)
	n := 0
	for _, w := range behind {
		n += w.b.Count
	}
	why := fmt.Sprintf("%s for the lock %s at %s, and no stack is at a line that may have it. %s.",
		account.WhoWaits(n, st.b), st.lock, places(behind), ways[0])
	fix := fmt.Sprintf("Unlock %s before the return at %s, or with defer right behind the Lock.", left[0].Lock,
		rules.PlaceLine(bl.Culprit))
	f := s.finding(bl, "returns with a lock that others wait for", why, fix, v, behind)
	for _, way := range ways[1:min(len(ways), maxWays)] {
		f.Notes = append(f.Notes, way+".")
	}
	return f
}

// placeOfReturn is the place of a return in the package of a frame, in the words of the build.
func placeOfReturn(site *gocode.Site, l gocode.Left, frame rules.Place) rules.Place {
	file, line := site.Place(l.Return)
	name := gocode.Name(l.Decl, l.Decl)
	if i := strings.IndexByte(name, '['); i >= 0 { // of a generic type
		name = name[:i] + "[...]" + name[strings.IndexByte(name, ']')+1:]
	}
	return rules.Place{Function: frame.Package + "." + name, Package: frame.Package,
		File: strings.TrimSuffix(frame.File, path.Base(frame.File)) + file, Line: line}
}

// manyForNobody is how many goroutines of a form that counts them wait before it is no moment between two owners: of 60
// profiles of goroutines that fight for a lock two were made then.
const manyForNobody = 100

// maxWays is how many returns a finding names.
const maxWays = 3

// places are where stacks wait for a lock.
func places(behind []*lockStack) string {
	text := rules.PlaceText(rules.PlaceOf(behind[0].b.Frames[behind[0].at].Frame))
	for _, w := range behind[1:] {
		if p := rules.PlaceText(rules.PlaceOf(w.b.Frames[w.at].Frame)); p != text {
			return text + " and elsewhere"
		}
	}
	return text
}
