package spin

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/gotriage/triage/rules"
)

//go:embed doc.md
var spinDoc string

// Rules returns the rules about goroutines that burn a CPU without getting anywhere (TR1xx). A dump stops the world, so
// a spinner looks like any goroutine that computes; each rule takes one signature, and each goroutine has one act
// (activity.go), so no two of them accuse the same one.
func Rules() []*rules.Rule {
	all := []*rules.Rule{tinySleep(), spinInTwoDumps()}
	for _, s := range signatures() {
		all = append(all, s.rule())
	}
	slices.SortFunc(all, func(a, b *rules.Rule) int { return strings.Compare(a.ID, b.ID) })
	return rules.Documented(spinDoc, all)
}
