package rules

// profileRules are the rules about profiles that need more than shares of stacks.
func profileRules() []*Rule {
	return []*Rule{
		marshalToCompare(),
		yieldSpin(),
		hotFunction(),
		hotLabel(),
		dominantRetainer(),
		heapGrowth(),
		allocationSite(),
		mostlyIdle(),
		namesMissing(),
	}
}
