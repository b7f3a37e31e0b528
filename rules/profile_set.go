package rules

import _ "embed"

//go:embed doc_hotspot.md
var hotspotDoc string

// profileRules are the rules about profiles that need more than shares of stacks.
func profileRules() []*Rule {
	return Documented(hotspotDoc, []*Rule{
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
