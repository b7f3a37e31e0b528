package auditlog

import (
	_ "embed"

	"github.com/gotriage/triage/rules"
)

//go:embed doc.md
var auditDoc string

// Rules returns the rules about audit logs, ordered by id.
func Rules() []*rules.Rule {
	return rules.Documented(auditDoc, []*rules.Rule{
		selfUpdateLoop(), controllersFight(), deleteCreateRace(), claimDeletedUnderPod(), creationStorm(),
		updateConflicts(),
		refusedAgain(), serverErrors(), slowRequests(), listHeavyClient(), shortWatches(), busiestClient(),
	})
}
