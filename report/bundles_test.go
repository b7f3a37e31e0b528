package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

func TestText_ABundleIsOneArgumentAndNamesOnlyTheFilesThatMatter(t *testing.T) {
	got := text(t, stormBundle(), report.TextOptions{})
	for _, want := range []string{"collected: troubleshoot support bundle, 71 files, 4.1 MB, from 1 node and 9 pods\n", "11 logs (2026-03-04 09:00:00 to 09:04:10), 60 files of objects\n",
		"  pods/shop.json: kubernetes-objects; 5 findings\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "web-61") {
		t.Errorf("a file that nothing speaks of is named:\n%s", got)
	}
	if all := text(t, stormBundle(), report.TextOptions{All: true}); !strings.Contains(all, "  web-61/web.log: pod-log") {
		t.Errorf("--all doesn't name all files:\n%s", all)
	}
}

func TestText_AFewFilesOfAFolderAreNamedOneByOne(t *testing.T) {
	r := stormBundle()
	r.Inputs, r.Bundles[0].Files = r.Inputs[60:66], 6
	got := text(t, r, report.TextOptions{})
	if strings.Contains(got, "6 files") || !strings.Contains(got, "web-61/web.log") {
		t.Error(got)
	}
}

func TestText_ManyArchivesAreCounted(t *testing.T) {
	r := &schema.Report{}
	for i := range 9 {
		path := fmt.Sprintf("b%d.zip", i)
		r.Bundles = append(r.Bundles, schema.Bundle{Path: path, Files: 7})
		for k := range 7 {
			r.Inputs = append(r.Inputs, schema.Input{Path: fmt.Sprintf("%s!/%d.log", path, k), Kind: "text-log"})
		}
	}
	if got := text(t, r, report.TextOptions{}); !strings.HasPrefix(got, "b0.zip: 7 files, 0 B\n") || !strings.Contains(got, "\n+3 more archives and folders\n") {
		t.Error(got)
	}
}

func TestText_NoDumpIsSaidOnlyWhereNoRuleLooksAtAnythingElse(t *testing.T) {
	for _, c := range []struct {
		in   schema.Input
		want bool
	}{
		{schema.Input{Kind: "text-log", Lines: 3}, true},
		{schema.Input{Kind: "pod-log", Lines: 3, First: "2026-03-04T09:00:00Z", Last: "2026-03-04T09:04:00Z"}, false},
		{schema.Input{Kind: "audit-log"}, false},
		{schema.Input{Kind: "kubernetes-objects"}, false},
		{schema.Input{Kind: "unknown"}, true},
	} {
		c.in.Path = "x"
		got := text(t, &schema.Report{Inputs: []schema.Input{c.in}}, report.TextOptions{})
		if strings.Contains(got, "no dump in it") != c.want {
			t.Errorf("%+v: %s", c.in, got)
		}
	}
}

func TestText_EntriesOfArchivesAreNamedByPodAndNode(t *testing.T) {
	for _, c := range []struct {
		want string
		in   schema.Input
	}{
		{"web-1/web.log", schema.Input{Path: "b.zip!/b/logs/shop/web-1/web.log", Pod: "web-1", Container: "web"}},
		{"web-1/web.log.1", schema.Input{Path: "b.zip!/b/logs/shop/web-1/web.log.1", Pod: "web-1", Container: "web"}},
		{"etcd-0/etcd/current.log", schema.Input{Path: "m.tar!/m/namespaces/kube/pods/etcd-0/etcd/etcd/logs/current.log", Pod: "etcd-0", Container: "etcd"}},
		{"node-1/logs/kubelet.log", schema.Input{Path: "b.zip!/b/nodes/node-1.zip!/node-1/logs/kubelet.log", Node: "node-1"}},
		{"node-1-audit.log", schema.Input{Path: "m.tar!/audit_logs/kube-apiserver/node-1-audit.log", Node: "node-1"}},
		{"web.log", schema.Input{Path: "logs/web.log", Pod: "web-1", Container: "web"}}, // no archive, and no other of that name
	} {
		got := text(t, &schema.Report{Inputs: []schema.Input{c.in}}, report.TextOptions{Width: 200})
		if !strings.HasPrefix(got, c.want+":") {
			t.Errorf("not called %s: %s", c.want, got)
		}
	}
}

func TestText_TwoPodsOfOneNameKeepTheirNamespaces(t *testing.T) {
	r := &schema.Report{}
	for _, ns := range []string{"a", "b"} {
		r.Inputs = append(r.Inputs, schema.Input{Path: "b.zip!/logs/" + ns + "/web-1/web.log", Namespace: ns, Pod: "web-1", Container: "web"})
	}
	if got := text(t, r, report.TextOptions{}); !strings.Contains(got, "a/web-1/web.log:") || !strings.Contains(got, "b/web-1/web.log:") {
		t.Error(got)
	}
}

// anObject is a finding about an object with evidence at the given times.
func anObject(times ...string) rules.Finding {
	f := rules.Finding{Rule: "TR760", Name: "loop", Severity: rules.High, Confidence: rules.ConfHigh, Title: "it is written again and again",
		Object: &rules.Object{API: "v1", Kind: "ConfigMap", Namespace: "shop", Name: "prices"}, Actors: []string{"system:serviceaccount:shop:agent"}}
	for i, at := range times {
		f.Evidence = append(f.Evidence, rules.Evidence{Input: "audit.log", Line: int64(i + 1), Time: at, Text: fmt.Sprintf("write %d", i)})
	}
	return f
}

func withFinding(f rules.Finding) *schema.Report {
	return &schema.Report{Inputs: []schema.Input{{Path: "audit.log", Kind: "audit-log"}}, Findings: []rules.Finding{f}, Rules: schema.RuleCounts{Checked: 1, Fired: 1}}
}

func TestText_TheVerdictNamesTheObjectThatTheTitleLeavesOut(t *testing.T) {
	for _, c := range []struct{ title, want string }{
		{"it is written again and again", "VERDICT  it is written again and again (ConfigMap shop/prices)\n"},
		{"ConfigMap shop/prices is written 20 times", "VERDICT  ConfigMap shop/prices is written 20 times (by shop/agent)\n"},
		{"agent writes ConfigMap shop/prices 20 times", "VERDICT  agent writes ConfigMap shop/prices 20 times\n"},
	} {
		f := anObject()
		f.Title = c.title
		if got := text(t, withFinding(f), report.TextOptions{}); !strings.Contains(got, c.want) {
			t.Errorf("no %q in\n%s", c.want, got)
		}
	}
}

func TestText_EvidenceInOrderOfTimeIsATimeline(t *testing.T) {
	for _, c := range []struct {
		times []string
		want  []string
	}{
		{[]string{"2026-03-04T10:00:00.632Z", "2026-03-04T10:00:00.666Z", "2026-03-04T10:00:03.7Z"}, []string{"10:00:00.632  write 0", "+34 ms        write 1", "+3.068 s      write 2"}},
		{[]string{"2026-03-04T10:00:00Z", "2026-03-04T10:04:00Z"}, []string{"10:00:00.000  write 0", "+4 min        write 1"}},
		{[]string{"2026-03-04T10:00:00Z", "2026-03-04T11:04:00Z"}, []string{"  10:00:00  write 0", "  11:04:00  write 1"}},
		{[]string{"2026-03-04T10:00:00Z", "2026-03-05T11:04:00Z"}, []string{"  2026-03-04 10:00:00  write 0", "  2026-03-05 11:04:00  write 1"}},
		{[]string{"03-04 10:00:00.632Z", "03-04 10:00:00.666Z"}, []string{"10:00:00.632  write 0", "+34 ms        write 1"}},
		{[]string{"03-04 10:00:00Z", "03-05 11:04:00Z"}, []string{"  03-04 10:00:00  write 0", "  03-05 11:04:00  write 1"}},
		// None: not in order, without a time, all at once, alone, only a few of many.
		{[]string{"2026-03-04T10:00:01Z", "2026-03-04T10:00:02Z", "", "", ""}, []string{"\n  write 0", "\n  write 1"}},
		{[]string{"2026-03-04T10:00:01Z", "2026-03-04T10:00:00Z"}, []string{"\n  write 0", "\n  write 1"}},
		{[]string{"2026-03-04T10:00:01Z", ""}, []string{"\n  write 0", "\n  write 1"}},
		{[]string{"2026-03-04T10:00:01Z", "2026-03-04T10:00:01Z"}, []string{"\n  write 0", "\n  write 1"}},
		{[]string{"2026-03-04T10:00:01Z"}, []string{"\n  write 0"}},
	} {
		got := text(t, withFinding(anObject(c.times...)), report.TextOptions{})
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%v: no %q in\n%s", c.times, want, got)
			}
		}
	}
}

func TestText_GoroutinesOfADumpAreNoTimeline(t *testing.T) {
	r := spinReport()
	e := r.Findings[0].Evidence[0]
	e.Time = "2026-03-01T10:00:07Z"
	r.Findings[0].Evidence = append(r.Findings[0].Evidence, e)
	if got := text(t, r, report.TextOptions{}); strings.Contains(got, "+7 s") {
		t.Error(got)
	}
}

func TestText_RequestsOfATimelineStandInColumns(t *testing.T) {
	f := anObject("2026-03-04T10:00:00Z", "2026-03-04T10:00:01Z", "2026-03-04T10:00:02Z", "")
	for i, what := range []string{"+0 ms admin: delete instances a", "+1.0 s controller: patch pods b", "+2.0 s gc: delete pods c", "Pod c hangs: it waits"} {
		f.Evidence[i].Text = what
	}
	f.Category = rules.RaceCat
	got := text(t, withFinding(f), report.TextOptions{})
	for _, want := range []string{"10:00:00.000  admin       delete  instances a  ", "+1.000 s      controller  patch   pods b  ", "+2.000 s      gc          delete  pods c  ",
		"              Pod c hangs: it waits  "} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	f.Evidence[2].Text = "+2.0 s garbage: it goes" // one has another form
	if got := text(t, withFinding(f), report.TextOptions{}); !strings.Contains(got, "+1.000 s      controller: patch pods b") {
		t.Error(got)
	}
}

func TestText_HowOftenIsSaidUnlessTheEvidenceSaysItItself(t *testing.T) {
	f := anObject("")
	f.Evidence[0].Count = 1205
	if got := text(t, withFinding(f), report.TextOptions{}); !strings.Contains(got, "write 0, 1,205 times") {
		t.Error(got)
	}
	for _, written := range []string{"1205 writes", "1,205 writes", "of 1,205, all"} {
		f.Evidence[0].Text = written
		if got := text(t, withFinding(f), report.TextOptions{}); strings.Contains(got, "times") {
			t.Errorf("%s: %s", written, got)
		}
	}
}

func TestText_LogsOfAReportOnADumpAreNotListed(t *testing.T) {
	r := spinReport()
	r.Patterns = quietLog().Patterns
	if got := text(t, r, report.TextOptions{}); strings.Contains(got, "LOGS") {
		t.Error(got)
	}
	r.Audit, r.Findings[0].Confidence = &schema.Audit{Events: 1}, rules.ConfLow
	if got := text(t, r, report.TextOptions{}); !strings.Contains(got, "LOGS") {
		t.Errorf("beside an audit log they are asked for:\n%s", got)
	}
}

func TestText_PatternsThatAFindingSpeaksOfAreNotListedAgain(t *testing.T) {
	r := loopBundle()
	if got := text(t, r, report.TextOptions{}); strings.Contains(got, "LOGS") {
		t.Errorf("patterns are listed beside an alarm:\n%s", got)
	}
	r.Findings[0].Confidence = rules.ConfLow
	got := text(t, r, report.TextOptions{})
	if strings.Contains(got, "release <*>") {
		t.Errorf("the finding's own pattern is listed:\n%s", got)
	}
	r.Patterns[0].Line++ // another pattern of the same log and the same object
	if got := text(t, r, report.TextOptions{}); strings.Contains(got, "release <*>") {
		t.Errorf("another pattern of its object is listed:\n%s", got)
	}
	r.Patterns[0].Objects[0].Name = "cart"
	if got := text(t, r, report.TextOptions{}); !strings.Contains(got, "release <*> (cart)") {
		t.Errorf("a pattern of another object isn't listed:\n%s", got)
	}
}

func TestText_ClientsAreNamedWithoutTheirPlatform(t *testing.T) {
	r := raceBundle()
	r.Findings[0].Confidence = rules.ConfLow
	for _, name := range []string{"kubelet/v1.34.1 (linux/amd64) kubernetes/$Format", "kcm/v1.34.1 (linux/amd64) kubernetes/$Format/system:serviceaccount:kube-system:job-controller", "curl"} {
		r.Audit.Talkers = append(r.Audit.Talkers, schema.Tally{Name: name, Count: 7})
	}
	if got := collapse(text(t, r, report.TextOptions{})); !strings.Contains(got, "most requests 7 kubelet/v1.34.1, 7 kcm/v1.34.1 as job-controller, 7 curl") {
		t.Error(got)
	}
}

func TestText_ManySkipsAreGroupedWithTheRareOnesFirst(t *testing.T) {
	got := text(t, damagedBundle(), report.TextOptions{})
	order := []string{"gone.log: no such file", "nodes/node-1.zip: it unpacks to more than", "nodes/node-2.zip: archives are nested", "dev/sda: a device",
		`2 like etc/passwd: its name leads out of the archive: "../../etc/passwd"`, "an image: img/0.png, img/1.png, +10 more", "40 like links/0.log: a link to logs/0.log, read there"}
	at := 0
	for _, want := range order {
		i := strings.Index(got[at:], want)
		if i < 0 {
			t.Fatalf("no %q behind the others in\n%s", want, got)
		}
		at += i
	}
	if all := text(t, damagedBundle(), report.TextOptions{All: true}); strings.Count(all, "a link to") != 40 {
		t.Errorf("--all doesn't list all:\n%s", all)
	}
	few := &schema.Report{Skipped: damagedBundle().Skipped[:5]}
	if got := text(t, few, report.TextOptions{}); strings.Count(got, "a link to") != 5 {
		t.Errorf("few are grouped:\n%s", got)
	}
}

func TestText_WithoutFindingsSaysWhatWasLookedAt(t *testing.T) {
	for _, c := range []struct {
		change func(*schema.Report)
		want   string
	}{
		{func(*schema.Report) {}, "NOTHING FOUND nothing stands out in 1 log; there is no goroutine dump"},
		{func(r *schema.Report) { r.Audit = &schema.Audit{Events: 41_000} }, "NOTHING FOUND nothing stands out in 1 log and 41,000 audit events; there is no goroutine dump"},
		{func(r *schema.Report) { r.Cluster = &schema.Cluster{Objects: 7, Gaps: make([]schema.Gap, 2)} },
			"NOTHING FOUND nothing stands out in 1 log and 7 objects; there is no goroutine dump; but the bundle could not collect 2 things"},
		{func(r *schema.Report) { r.Rules.Clear = 0 }, "NOTHING FOUND there is no goroutine dump in the input, so nothing was checked"},
		{func(r *schema.Report) { r.Inputs[0].First = "" }, "NOTHING FOUND nothing stands out in 1 log; there is no goroutine dump"}, // its patterns show that it was looked at
		{func(r *schema.Report) { r.Inputs[0].First, r.Patterns = "", nil }, "NOTHING FOUND there is no goroutine dump in the input, so nothing was checked"},
	} {
		r := quietLog()
		c.change(r)
		if got := collapse(text(t, r, report.TextOptions{})); !strings.Contains(got, c.want+" ") {
			t.Errorf("no %q in\n%s", c.want, got)
		}
	}
}

func TestText_WhatIsMissingInSeveralPlacesIsOneRow(t *testing.T) {
	r := quietLog()
	r.Cluster = &schema.Cluster{Objects: 7, Remarks: []schema.Gap{
		{Input: "a/ns.json", Line: 1, Text: "one of 2 clusters"}, {Input: "b/ns.json", Line: 9, Text: "one of 2 clusters"},
		{Input: "c/pods.txt", Text: "a table"},
	}}
	got := collapse(text(t, r, report.TextOptions{}))
	for _, want := range []string{"ns.json:1 and 1 more place: one of 2 clusters", "pods.txt: a table"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestText_ABundleWithOneFindingHasItsVerdictOnTheFirstScreen(t *testing.T) {
	for _, width := range []int{80, 100, 200} {
		lines := strings.Split(text(t, loopBundle(), report.TextOptions{Width: width}), "\n")
		top := collapse(strings.Join(lines[:40], "\n"))
		for _, want := range []string{"VERDICT", "BundleDeployment shop/web", "system:serviceaccount:shop-system:agent", "why", "fix", "next"} {
			if !strings.Contains(top, want) {
				t.Errorf("width %d: the first screen doesn't say %q:\n%s", width, want, top)
			}
		}
		if len(lines) > 72 {
			t.Errorf("width %d: %d lines", width, len(lines))
		}
	}
}

// FuzzBundleText: whatever a stranger's archive holds, no control character reaches the terminal and the report stays
// short.
func FuzzBundleText(f *testing.F) {
	f.Add("", int64(0))
	f.Add(nasty, int64(1))
	f.Add("2026-03-04T05:10:03Z", int64(1)<<62)
	f.Add("b.zip!/x/"+strings.Repeat("y", 3000), int64(-1))
	f.Fuzz(func(t *testing.T, s string, n int64) {
		finding := anObject(s, s)
		finding.Title, finding.Object, finding.Objects = s, &rules.Object{API: s, Kind: s, Namespace: s, Name: s}, []rules.Object{{Name: s}}
		finding.Evidence[0].Text, finding.Evidence[1].Input, finding.Evidence[1].Count = s+"\t"+s, s, int(n)
		finding.FirstSeen, finding.LastSeen = s, s+"1"
		r := &schema.Report{
			Inputs:  []schema.Input{{Path: s, First: s, Last: s, Lines: n, Pod: s, Container: s, Node: s}},
			Bundles: []schema.Bundle{{Path: s, Layout: s, Files: 99, Bytes: n, Kinds: []schema.Tally{{Name: s, Count: n}}, First: s, Last: s}},
			Findings: []rules.Finding{
				finding, finding, finding, finding,
			},
			Patterns: []schema.Pattern{{Input: s, Line: n, Template: s, Level: s, Count: 99, PerSecond: float64(n), First: s, Last: s, Objects: []schema.PatternObject{{Name: s}}}},
			Audit:    &schema.Audit{Events: n, First: s, Last: s, Levels: []schema.Tally{{Name: s, Count: n}}, Writers: []schema.Writer{{Actor: s, Name: s, Writes: n, First: s, Last: s, Fields: []string{s}}}, Limits: []string{s}},
			Cluster:  &schema.Cluster{Version: s, Time: s, Objects: 1, Gaps: []schema.Gap{{Input: s, Line: n, Text: s}}},
			Skipped:  []schema.Skipped{{Path: s, Reason: s}, {Path: "a!/" + s, Reason: s}, {Reason: s}, {Reason: s}, {Reason: s}, {Reason: s + "1"}},
		}
		got := text(t, r, report.TextOptions{})
		if i := strings.IndexFunc(got, func(c rune) bool {
			return c < ' ' && c != '\n' || c == 0x7f || c >= 0x80 && c < 0xa0 || c == 0x202e || c == 0xfeff
		}); i >= 0 {
			t.Errorf("byte %d is %q", i, got[i])
		}
		if lines := strings.Count(got, "\n"); lines > 500 {
			t.Errorf("%d lines", lines)
		}
	})
}

func TestText_CopiesAreOneSentence(t *testing.T) {
	r := &schema.Report{Inputs: []schema.Input{{Path: "a.zip!/pods/web.log", Kind: "pod-log"}}}
	for _, name := range []string{"web-1.log", "web-2.log", "web-3.log"} {
		r.Skipped = append(r.Skipped, schema.SkippedCopy("a.zip!/copies/"+name, "a.zip!/pods/web.log"))
	}
	got := collapse(text(t, r, report.TextOptions{}))
	if want := "COPIES 3 files whose lines are all in other files too, so they count once: copies/web-1.log, copies/web-2.log, +1 more"; !strings.Contains(got, want) {
		t.Errorf("no %q in\n%s", want, got)
	}
	if strings.Contains(got, "NOT READ") {
		t.Errorf("copies are listed as not read:\n%s", got)
	}
	if got := text(t, r, report.TextOptions{All: true}); !strings.Contains(got, "NOT READ") {
		t.Errorf("--all doesn't list the copies:\n%s", got)
	}
}
