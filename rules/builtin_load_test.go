package rules

import "testing"

func TestBuiltinFilesLoad(t *testing.T) {
	for i := range builtinDefs {
		if _, err := compileRule(&builtinDefs[i]); err != nil {
			t.Errorf("rule %s: %v", builtinDefs[i].ID, err)
		}
	}
	if _, err := NewRoleSet(builtinRoleDefs); err != nil {
		t.Error(err)
	}
}
