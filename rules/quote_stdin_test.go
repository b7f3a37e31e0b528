package rules

import "testing"

func TestACommandNeverNamesStandardInput(t *testing.T) {
	for s, want := range map[string]string{"-": "FILE", "-n": "'./-n'", "./-": "./-"} {
		if got := Quote(s); got != want {
			t.Errorf("%q is %s, want %s", s, got, want)
		}
	}
}
