package hotspot

import (
	_ "embed"

	"github.com/gotriage/triage/rules"
)

//go:embed doc.md
var hotspotDoc string

// Rules returns the rules about profiles that need more than shares of stacks.
func Rules() []*rules.Rule {
	return rules.Documented(hotspotDoc, []*rules.Rule{
		marshalToCompare(),
		yieldSpin(),
		hotFunction(),
		hotLabel(),
		dominantRetainer(),
		heapGrowth(),
		allocationSite(),
		mostlyIdle(),
		namesMissing(),
	})
}
