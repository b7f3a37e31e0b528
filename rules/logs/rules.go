package logs

import (
	_ "embed"

	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/rules"
)

//go:embed doc.md
var logsDoc string

// Rules returns the rules about log patterns, ordered by id.
func Rules() []*rules.Rule {
	return rules.Documented(logsDoc, []*rules.Rule{
		rule("TR700", "reconcile-loop", rules.HotLoop, rules.High, eachLog(reconcileLoops)),
		rule("TR705", "client-side-throttling", rules.Contention, rules.Medium, eachLog(throttled)),
		rule("TR706", "leader-election-flapping", rules.Contention, rules.High, runLeaders),
		rule("TR707", "slow-etcd", rules.Contention, rules.High, eachLog(slowEtcd)),
		lastWordsRule(),
	})
}

func rule(
	id, name string, c rules.Category, s rules.Severity, run func(*rules.Pass) []rules.Finding,
) *rules.Rule {
	return &rules.Rule{ID: id, Name: name, Category: c, Severity: s, Needs: rules.NeedsLogs, Run: run}
}

// eachLog applies a rule to one log after the other.
func eachLog(find func(*source) []rules.Finding) func(*rules.Pass) []rules.Finding {
	return func(p *rules.Pass) []rules.Finding {
		var found []rules.Finding
		for _, in := range sourcesOf(p) {
			found = append(found, find(in)...)
		}
		return found
	}
}

// A source is one log with the patterns of its lines.
type source struct {
	*rules.LogInput
	*logpattern.Log
}

func sourcesOf(p *rules.Pass) []*source {
	all := make([]*source, len(p.Logs))
	for i, in := range p.Logs {
		all[i] = &source{in, parsed.Log(in)}
	}
	return all
}
