package phrase

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// longClaim is the name of a claim of a real cluster.
const longClaim = "prometheus-rancher-monitoring-prometheus-db-prometheus-rancher-monitoring-prometheus-0"

func TestFitTakesFromTheMiddleOfTheLongestNames(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Pod web-0 restarts", "Pod web-0 restarts"},
		{"PersistentVolumeClaim " + longClaim + " is gone", "PersistentVolumeClaim prometheus…metheus-0 is gone"},
		{longClaim + " waits for " + longClaim, "prometheu…metheus-0 waits for prometheu…metheus-0"},
		{"a sentence of short words alone is longer than it may be", "a sentence of short words alone is longer than it…"},
		{longClaim + "  \n", "prometheus-rancher-monit…-monitoring-prometheus-0"},
	} {
		got := Fit(c.text, 50)
		if utf8.RuneCountInString(got) > 50 {
			t.Errorf("%q has %d characters", got, utf8.RuneCountInString(got))
		}
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestRestoreFindsANameWithoutItsMiddle(t *testing.T) {
	short := Shorten(longClaim, 40)
	for _, c := range []struct{ text, name, want string }{
		{"Claim " + short + " is gone", longClaim, "Claim " + longClaim + " is gone"},
		{"Claim db/" + short + ": gone", longClaim, "Claim db/" + longClaim + ": gone"},
		{short + "'s status, of " + short, longClaim, longClaim + "'s status, of " + short},
		{Shorten("db/"+longClaim, 40), "db/" + longClaim, "db/" + longClaim},
		{"the message… of " + short, longClaim, "the message… of " + longClaim},
		// near: another name, one of which too little is left, no name
		{short, longClaim + "1", short},
		{"x" + short, longClaim, "x" + short},
		{"pr…0", longClaim, "pr…0"},
		{"Claim web-0 is gone…", "web-0", "Claim web-0 is gone…"},
		{"Claim " + short, "", "Claim " + short},
	} {
		if got := Restore(c.text, c.name); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestCutKeepsTheRootOfAnErrorChain(t *testing.T) {
	chain := "unable to load configmap based request-header-client-ca-file: Get \"https://10.43.0.1:443/api\": dial tcp 10.43.0.1:443: i/o timeout"
	for n, want := range map[int]string{
		60:  "unable to load configm…: dial tcp 10.43.0.1:443: i/o timeout",
		40:  "unable to load configmap b…: i/o timeout",
		200: chain,
	} {
		if got := Cut(chain, n); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
	for _, s := range []string{strings.Repeat("words without a colon ", 9), "kubernetes-admin: " + strings.Repeat("create ", 9)} {
		if got := Cut(s, 40); !strings.HasPrefix(s, strings.TrimSuffix(got, "…")) {
			t.Errorf("%q is no beginning", got)
		}
	}
}
