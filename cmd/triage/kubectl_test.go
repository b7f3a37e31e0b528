package main

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
)

func TestKubectl_TheProgramsNameDecidesWhatItIs(t *testing.T) {
	for _, c := range []struct {
		argv []string
		want string
	}{
		{[]string{"/usr/bin/triage", "dump.txt"}, "dump.txt"},
		{[]string{"/usr/bin/kubectl-triage", "web-1", "-n", "shop"}, "kubectl web-1 -n shop"},
		{[]string{"kubectl-triage.exe", "-A"}, "kubectl -A"},
		{[]string{"kubectl_complete-triage", "we"}, "__complete kubectl we"},
		{[]string{"kubectl-triage-old", "x"}, "x"},
	} {
		if got := strings.Join(pluginArgs(c.argv), " "); got != c.want {
			t.Errorf("%q: %q, want %q", c.argv, got, c.want)
		}
	}
}

func TestKubectl_OnlyYesIsConsent(t *testing.T) {
	for answer, want := range map[string]bool{"y\n": true, " YES \n": true, "n\n": false, "\n": false, "": false, "yes please\n": false} {
		var out bytes.Buffer
		s := newFetchScreen(&out)
		if got := s.ask(t.Context(), strings.NewReader(answer), "ask web-1? "); got != want || out.String() != "triage: ask web-1? " {
			t.Errorf("%q: %v, wrote %q", answer, got, out.String())
		}
	}
	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if newFetchScreen(io.Discard).ask(ctx, r, "?") {
		t.Error("an interruption is no consent")
	}
}
