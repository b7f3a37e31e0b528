package crash

import (
	"testing"

	"github.com/gotriage/triage/stackparse"
)

func TestTheFailureOfARequestFollowsItsURL(t *testing.T) {
	for text, want := range map[string]string{
		`error retrieving resource lock a/b: Get "https://10.43.0.1:443/x": dial tcp: i/o timeout`: "dial tcp: i/o timeout",
		"error retrieving resource lock a/b: etcdserver: request timed out":                        "etcdserver: request timed out",
		"EOF": "EOF",
	} {
		if got := failedWith(text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestAPanicOfADeferredCallIsNotTheFirstOneRaisedAgain(t *testing.T) {
	nilPointer := stackparse.Panic{Text: "nil pointer"}
	recovered := stackparse.Panic{Text: "nil pointer", Recovered: true}
	for name, test := range map[string]struct {
		chain []stackparse.Panic
		want  bool
	}{
		"another of the same text": {[]stackparse.Panic{nilPointer, nilPointer}, true},
		"another value":            {[]stackparse.Panic{recovered, {Text: "closed"}}, true},
		"raised again":             {[]stackparse.Panic{recovered, nilPointer}, false},
		"one":                      {[]stackparse.Panic{nilPointer}, false},
	} {
		if got := raisedAnother(test.chain); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestARequestForALeaseIsUnansweredWhereItsErrorSaysSo(t *testing.T) {
	const request = `error retrieving resource lock: Get "https://10.43.0.1/apis/coordination.k8s.io/v1/namespaces/x/leases/y": `
	tests := []struct {
		text string
		want bool
	}{
		{request + "context deadline exceeded", true},
		{"error retrieving resource lock kube-system/node-operator: etcdserver: request timed out", true},
		{request + "dial tcp 10.43.0.1:443: connect: connection refused", true},
		// Near misses: another object, and an answer.
		{`Get "https://10.43.0.1/api/v1/pods": context deadline exceeded`, false},
		{request + "the object has been modified", false},
	}
	for _, tt := range tests {
		if got := unanswered(tt.text); got != tt.want {
			t.Errorf("%s: %v", tt.text, got)
		}
	}
}
