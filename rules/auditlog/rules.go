package auditlog

import (
	_ "embed"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/rules"
)

//go:embed doc.md
var auditDoc string

// Rules returns the rules about audit logs, ordered by id.
func Rules() []*rules.Rule {
	return rules.Documented(auditDoc, []*rules.Rule{
		rule("TR760", "self-update-loop", rules.HotLoop, rules.High, runSelfUpdateLoop),
		rule("TR761", "controllers-undo-each-other", rules.HotLoop, rules.High, controllersFight),
		rule("TR762", "delete-create-race", rules.RaceCat, rules.High, deleteCreateRaces),
		rule("TR764", "creation-storm", rules.PodStorm, rules.Critical, creationStorms),
		rule("TR772", "webhook-fails-closed", rules.Deadlock, rules.High, webhookFailsClosed),
		rule("TR773", "creations-refused", rules.Deadlock, rules.Medium, creationsRefused),
		rule("TR774", "lease-taken-in-turns", rules.Contention, rules.Medium, leasesInTurns),
		rule("TR779", "evictions-refused", rules.Deadlock, rules.Medium, evictionsRefused),
		rule("TR790", "remade-by-its-maker", rules.HotLoop, rules.Medium, remadeByMaker),
	})
}

func rule(
	id, name string, c rules.Category, s rules.Severity, run func(*audit.Trail) []rules.Finding,
) *rules.Rule {
	return &rules.Rule{ID: id, Name: name, Category: c, Severity: s, Needs: rules.NeedsAudit,
		Run: func(p *rules.Pass) []rules.Finding { return run(parsed.Trail(p)) }}
}
