package logs

import "testing"

func TestWhoRetriesDoesNotReconcileByThat(t *testing.T) {
	for line, want := range map[string]bool{
		`waiting for "shop/web-1": connection refused, retrying`: false,
		"could not list, will try again":                         false,
		"reconciler error, requeuing":                            true,
	} {
		if got := reconciles(line); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}
