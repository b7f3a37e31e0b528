package rules

import _ "embed"

//go:embed doc_auditlog.md
var auditDoc string

// auditRules are the rules about audit logs, ordered by id.
func auditRules() []*Rule {
	return Documented(auditDoc, []*Rule{
		selfUpdateLoop(), controllersFight(), deleteCreateRace(), claimDeletedUnderPod(), creationStorm(), updateConflicts(),
		refusedAgain(), serverErrors(), slowRequests(), listHeavyClient(), shortWatches(), busiestClient(),
	})
}
