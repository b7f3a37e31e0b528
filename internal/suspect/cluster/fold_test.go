package cluster

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/gotriage/triage/internal/suspect"
	"github.com/gotriage/triage/rules/phrase"
)

func TestFactsAboutOneChainAreOneSuspect(t *testing.T) {
	got := inCluster(t, object("Namespace", "trial", `"deletionTimestamp":"`+ago(time.Hour)+`"`,
		`"spec":{"finalizers":["kubernetes"]},"status":{"phase":"Terminating","conditions":[{"type":"NamespaceDeletionDiscoveryFailure",
		"status":"True","reason":"DiscoveryFailed","message":"unable to retrieve the complete list of server APIs: metrics.k8s.io/v1beta1: stale",
		"lastTransitionTime":"`+ago(time.Hour)+`"}]}`),
		object("APIService", "v1beta1.metrics.k8s.io", "", cond("Available", "False", "MissingEndpoints", "no endpoints", 2*time.Hour)))
	if len(got) != 1 || got[0].Object.Kind != "APIService" || len(got[0].For) != 2 {
		t.Fatalf("want one suspect, the APIService, with the facts of both: %+v", got)
	}
	if got[0].Points < suspect.Strong {
		t.Errorf("%.1f points", got[0].Points)
	}
}

func TestOnlyTheBestOfOtherKindsAddToASuspect(t *testing.T) {
	v := newView(nil, nil)
	for _, f := range []fact{{kind: "a", points: 20}, {kind: "a", points: 18}, {kind: "b", points: 10}, {kind: "c", points: 10}} {
		f.about = key{"Pod", "shop", "web"}
		v.file(f)
	}
	if c := v.chains()[0]; c.points != 20+3+1.5 || len(c.facts) != 3 {
		t.Errorf("%.2f points of %d kinds, want 24.50 of 3", c.points, len(c.facts))
	}
}

func TestAWeakFactDoesNotBindWhatItNames(t *testing.T) {
	v := newView(nil, nil)
	a, b := key{"Pod", "shop", "a"}, key{"Pod", "shop", "b"}
	v.file(fact{about: a, kind: "x", points: bind - 1, via: []key{b}})
	v.file(fact{about: b, kind: "x", points: 30})
	if n := len(v.chains()); n != 2 {
		t.Errorf("%d suspects, want 2", n)
	}
	v.facts[0].points = bind
	if n := len(v.chains()); n != 1 {
		t.Errorf("%d suspects, want 1", n)
	}
}

func TestTheBestSuspectStaysWhateverItsPoints(t *testing.T) {
	got := inCluster(t, object("Pod", "web", "", container("Running", `"restartCount":2,"ready":true`)))
	if len(got) != 1 || !got[0].Usual || got[0].Points >= suspect.Shown {
		t.Errorf("got %+v", got)
	}
}

func TestTitlesOfLongNamesFit(t *testing.T) {
	long := strings.Repeat("very-long-name-of-", 12) + "web"
	for _, s := range inCluster(t, object("Widget", long, `"generation":4000`, cond("Ready", "False", long, long, time.Hour))) {
		if utf8.RuneCountInString(s.Title) > phrase.MaxTitle {
			t.Errorf("%d characters: %s", utf8.RuneCountInString(s.Title), s.Title)
		}
	}
}

func TestNextStepsAreCommandsThatRun(t *testing.T) {
	for _, c := range []struct{ objects, command string }{
		{object("Widget", "w", `"generation":4000`, ""), "kubectl -n shop describe widget.example.com w"},
		{object("Node", "n 1", "", cond("Ready", "False", "", "", time.Hour)), "kubectl describe node 'n 1'"},
		{many(90, func(i int) string {
			return object("Secret", fmt.Sprintf("token-%dx7k2", 100+i), `"creationTimestamp":"`+ago(time.Duration(i)*time.Minute)+`"`, "")
		}),
			"kubectl -n shop get secret --sort-by=.metadata.creationTimestamp"},
	} {
		got := inCluster(t, c.objects)
		if len(got) == 0 || got[0].Next[0].Command != c.command {
			t.Errorf("got %+v, want %s", got, c.command)
		}
	}
}

func TestTheLastWordsAreTheReason(t *testing.T) {
	for message, want := range map[string]string{
		"starting\npanic: no map\n\ngoroutine 1 [running]:\nmain.main()\n\t/a.go:1 +0x1d": "panic: no map",
		"x\nF0709 09:19:25.235782 1 server.go:217] leaderelection lost\n":                 "F0709 09:19:25.235782 1 server.go:217] leaderelection lost",
		"goroutine 7 [select]:\nmain.main()\n\t/a.go:1 +0x1d\n":                           "",
		"listening\nbind: address in use\n\n":                                             "bind: address in use",
	} {
		if got := lastWords(message); got != want {
			t.Errorf("lastWords(%q) = %q, want %q", message, got, want)
		}
	}
}

func TestHardWordsBeginWords(t *testing.T) {
	for text, want := range map[string]bool{
		"FailedMount": true, "MountVolume.SetUp failed": true, "connection refused": true, "Unfailing": false,
		"terror": false, "all is well": false, "İİİ error": true, "": false, "no_error": false, "x: not found": true,
	} {
		if got := hard(text); got != want {
			t.Errorf("hard(%q) = %v", text, got)
		}
	}
}

func TestFamiliesOfNames(t *testing.T) {
	for name, want := range map[string]string{
		"build-17": "build-*", "web-5d8f7c6b9-x2z4k": "web-*", "pull-token-x7k2p": "pull-token-*", "tenant-blue": "tenant-blue",
		"web": "web", "-17": "-17", "": "",
	} {
		if got := family(name); got != want {
			t.Errorf("family(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestOrderDoesNotMatter(t *testing.T) {
	a, b := object("Widget", "a", `"generation":4000`, ""), object("Widget", "b", `"generation":4000`, "")
	x, y := inCluster(t, a, b), inCluster(t, b, a)
	if len(x) != 2 || fmt.Sprint(x[0].Title, x[1].Title) != fmt.Sprint(y[0].Title, y[1].Title) {
		t.Errorf("%v and %v", x, y)
	}
}
