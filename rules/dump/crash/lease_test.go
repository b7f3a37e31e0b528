package crash

import "testing"

func TestARequestForALeaseIsUnansweredWhereItsErrorSaysSo(t *testing.T) {
	const request = `error retrieving resource lock: Get "https://10.43.0.1/apis/coordination.k8s.io/v1/namespaces/x/leases/y": `
	tests := []struct {
		text string
		want bool
	}{
		{request + "context deadline exceeded", true},
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
