package poller

import (
	"testing"

	"go.uber.org/goleak"
)

func TestFirst(t *testing.T) {
	defer goleak.VerifyNone(t)
	if First(func() string { return "a" }, func() string { return "b" }) == "" {
		t.Fatal("none")
	}
}
