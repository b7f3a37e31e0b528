package meters

import (
	"path"
	"time"

	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// begin begins a finding about the process that a meter is of; act is what its title says of it, about distinguishes
// findings of one rule about one process.
func begin(rule string, in *rules.MeterInput, s rules.Severity, act, about string) rules.Finding {
	f := rules.Finding{Severity: s, Confidence: rules.ConfMedium}
	who, t := "the process of "+path.Base(in.Input), in.Target
	print := rules.Object{Kind: "Input", Namespace: about, Name: in.Input}
	if t.Pod != "" {
		who = t.Pod
		if t.Container != "" {
			who += " (" + t.Container + ")"
		}
		f.Object = &rules.Object{API: "v1", Kind: "Pod", Namespace: t.Namespace, Name: t.Pod}
		print = rules.Object{Kind: t.Container, Namespace: about, Name: t.Namespace + "/" + t.Pod}
	}
	if dir := path.Base(path.Dir(in.Input)); t.Pod == "" && path.Ext(in.Input) != ".txt" && dir != "." {
		who = "the process of " + dir
	}
	f.Title = phrase.CutTitle(who + " " + act)
	f.Fingerprint = rules.FingerprintObject(rule, print)
	return f
}

// now is when the inputs were taken, as far as objects or the bundle show it; zero where they don't.
func now(p *rules.Pass) time.Time {
	if c := parsed.Cluster(p); c != nil {
		return c.Time
	}
	return time.Time{}
}
