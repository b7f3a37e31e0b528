package auditlog

import (
	_ "embed"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
)

//go:embed doc.md
var auditDoc string

// Rules returns the rules about audit logs, ordered by id.
func Rules() []*rules.Rule {
	return rules.Documented(auditDoc, []*rules.Rule{
		rule("TR760", "self-update-loop", rules.HotLoop, rules.High, runSelfUpdateLoop),
		rule("TR761", "controllers-undo-each-other", rules.HotLoop, rules.High, runControllersFight),
		rule("TR762", "delete-create-race", rules.RaceCat, rules.High, runDeleteCreateRace),
		rule("TR763", "claim-deleted-under-pod", rules.RaceCat, rules.High, runClaimDeletedUnderPod),
		rule("TR764", "creation-storm", rules.PodStorm, rules.Critical, runCreationStorm),
		rule("TR765", "update-conflicts", rules.Contention, rules.Medium, runUpdateConflicts),
		rule("TR766", "refused-again-and-again", rules.HotLoop, rules.Medium, runRefusedAgain),
		rule("TR767", "api-server-errors", rules.Contention, rules.Medium, runServerErrors),
		rule("TR768", "slow-api-requests", rules.Contention, rules.Medium, runSlowRequests),
		rule("TR769", "list-heavy-client", rules.HotLoop, rules.Medium, runListHeavyClient),
		rule("TR770", "short-lived-watches", rules.HotLoop, rules.Medium, runShortWatches),
		rule("TR771", "busiest-api-client", rules.HotLoop, rules.Info, runBusiestClient),
	})
}

func rule(
	id, name string, c rules.Category, s rules.Severity, run func(*audit.Trail) []rules.Finding,
) *rules.Rule {
	return &rules.Rule{ID: id, Name: name, Category: c, Severity: s, Needs: rules.NeedsAudit,
		Run: func(p *rules.Pass) []rules.Finding { return run(p.Audit) }}
}
