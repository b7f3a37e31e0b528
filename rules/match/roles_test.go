package match

import (
	"strings"
	"testing"

	"github.com/gotriage/triage/stackparse"
)

func TestARoleWithoutAFunctionIsRefused(t *testing.T) {
	_, err := NewRoleSet([]RoleDef{{Name: "waiting", Doc: "waits",
		Match: []Match{{Class: []stackparse.Class{stackparse.ClassSelect}}}}})
	if err == nil || !strings.Contains(err.Error(), "a state alone says nothing") {
		t.Errorf("error %v", err)
	}
}
