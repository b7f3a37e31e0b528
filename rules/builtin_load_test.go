package rules

import "testing"

func TestBuiltinFilesLoad(t *testing.T) {
	b := embedded()
	for i := range b.Rules {
		if _, err := compileRule(&b.Rules[i].Def); err != nil {
			t.Errorf("rule %s: %v", b.Rules[i].Def.ID, err)
		}
	}
	if _, err := NewRoleSet(b.Roles); err != nil {
		t.Error(err)
	}
}
