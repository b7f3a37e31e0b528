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

// worth is a kind whose facts have that many points each.
func worth(points float64) *kind { return &kind{least: 1, points: points, text: "{n}"} }

func TestOnlyTheBestOfOtherKindsAddToASuspect(t *testing.T) {
	v := newView(nil, nil)
	web, most := key{"Pod", "shop", "web"}, worth(20)
	for i, k := range []*kind{most, most, worth(10), worth(10)} {
		v.see(k, web, fmt.Sprint(i)).count = 1
	}
	if c := v.chains()[0]; c.points != 20+3+1.5 || len(c.facts) != 3 {
		t.Errorf("%.2f points of %d kinds, want 24.50 of 3", c.points, len(c.facts))
	}
}

func TestAWeakFactDoesNotBindWhatItNames(t *testing.T) {
	a, b := key{"Pod", "shop", "a"}, key{"Pod", "shop", "b"}
	for points, want := range map[float64]int{bind - 1: 2, bind: 1} {
		v := newView(nil, nil)
		f := v.see(worth(points), a)
		f.count, f.via = 1, []key{b}
		v.see(worth(30), b).count = 1
		if n := len(v.chains()); n != want {
			t.Errorf("%d suspects of a fact with %v points, want %d", n, points, want)
		}
	}
}

func TestTheBestSuspectStaysWhateverItsPoints(t *testing.T) {
	got := inCluster(t, object("Pod", "web", "", `"status":{"phase":"Failed"}`))
	if len(got) != 1 || !got[0].Usual || got[0].Points >= suspect.Shown {
		t.Errorf("got %+v", got)
	}
}

func TestTitlesOfLongNamesFit(t *testing.T) {
	long := strings.Repeat("very-long-name-of-", 12) + "web"
	for _, s := range inCluster(t, object("Widget", long, "", cond("Ready", "False", long, long, time.Hour))) {
		if utf8.RuneCountInString(s.Title) > phrase.MaxTitle {
			t.Errorf("%d characters: %s", utf8.RuneCountInString(s.Title), s.Title)
		}
	}
}

func TestNextStepsAreCommandsThatRun(t *testing.T) {
	for _, c := range []struct{ objects, command string }{
		{object("Widget", "w", "", cond("Ready", "False", "Broken", "it is broken", time.Hour)), "kubectl -n shop describe widget.example.com w"},
		{object("Node", "n 1", "", cond("Ready", "False", "", "", time.Hour)), "kubectl describe node 'n 1'"},
		{many(90, func(i int) string {
			return object("Secret", fmt.Sprintf("token-%dx7k2", 100+i), `"creationTimestamp":"`+ago(time.Duration(i)*time.Minute)+`"`, "")
		}),
			"kubectl -n shop describe secret token-100x7k2"},
	} {
		got := inCluster(t, c.objects)
		if len(got) == 0 || got[0].Next[0].Command != c.command {
			t.Errorf("got %+v, want %s", got, c.command)
		}
	}
}

func TestFamiliesOfNames(t *testing.T) {
	for name, want := range map[string]string{
		"build-17": "build-*", "web-5d8f7c6b9": "web-*", "pull-token-x7k2p": "pull-token-*", "tenant-blue": "",
		"web": "", "-17": "", "": "",
	} {
		if got, ok := family(name); ok != (want != "") || ok && got != want {
			t.Errorf("family(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestOrderDoesNotMatter(t *testing.T) {
	a, b := object("Widget", "a", "", cond("Ready", "False", "Broken", "it is broken", time.Hour)), object("Widget", "b", "", cond("Ready", "False", "Broken", "it is broken", time.Hour))
	x, y := inCluster(t, a, b), inCluster(t, b, a)
	if len(x) != 2 || fmt.Sprint(x[0].Title, x[1].Title) != fmt.Sprint(y[0].Title, y[1].Title) {
		t.Errorf("%v and %v", x, y)
	}
}
