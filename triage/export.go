package triage

import (
	"context"

	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/internal/convert"
	"github.com/gotriage/triage/triage/schema"
)

// Stacks are the dumps and profiles of the inputs with all their stacks, besides what the rules find.
type Stacks = schema.Stacks

// ReadStacks reads the inputs as Run does and returns their stacks for the forms of other tools. The error is Run's;
// the Stacks are never nil.
func ReadStacks(ctx context.Context, o Options) (*Stacks, error) {
	r, out, err := readAndJudge(ctx, o, codeReader{})
	s := &Stacks{Findings: r.Findings, Skipped: r.Skipped}
	if len(r.Dumps) == len(out.pass.Dumps) { // not where run ended before the report was filled
		for i, d := range out.pass.Dumps {
			shown := &r.Dumps[i]
			s.Sources = append(s.Sources, schema.StackSource{
				Input: shown.Input, Line: shown.Line, Pod: podName(shown.Namespace, shown.Pod),
				Kind: string(profile.KindGoroutine), Profile: convert.DumpStacks(d, shown.Time),
			})
		}
	}
	s.Sources = append(s.Sources, profileStacks(out.pass)...)
	return s, err
}

// profileStacks are the stacks of the profiles that are no goroutine profiles.
func profileStacks(pass *rules.Pass) (list []schema.StackSource) {
	for _, p := range pass.Profiles {
		list = append(list, schema.StackSource{
			Input: p.Input, Pod: podName(p.Target.Namespace, p.Target.Pod), Kind: string(p.Kind), Profile: p.Pprof(),
			Value: p.Value,
		})
	}
	return list
}

func podName(namespace, pod string) string {
	if namespace == "" || pod == "" {
		return pod
	}
	return namespace + "/" + pod
}
