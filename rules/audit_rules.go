package rules

// auditRules are the rules about audit logs, ordered by id.
func auditRules() []*Rule {
	return []*Rule{
		selfUpdateLoop(), controllersFight(), deleteCreateRace(), claimDeletedUnderPod(), creationStorm(), updateConflicts(),
		refusedAgain(), serverErrors(), slowRequests(), listHeavyClient(), shortWatches(), busiestClient(),
	}
}
