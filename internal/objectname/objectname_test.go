package objectname

import "testing"

// TestStemIsThePartThatWasGiven holds names with ends that nobody chose, and names that say something.
func TestStemIsThePartThatWasGiven(t *testing.T) {
	for name, want := range map[string]struct {
		stem string
		ok   bool
	}{
		"pull-token-x7k2p": {"pull-token-", true},
		"home-8f3kq2zd":    {"home-", true},
		"probe-7f3a9c1e-1111-4000-8000-00000000000a": {"probe-", true},
		"7f3a9c1e-1111-4000-8000-00000000000a":       {"", true},
		"settings-17":                                {"", false},
		"tenant-blue":                                {"", false},
		"sh.helm.release.v1.app-3.v2":                {"", false},
		"web":                                        {"", false},
		"":                                           {"", false},
		"7f3a9c1e-1111-4000-8000-0000000":            {"", false},
	} {
		if stem, ok := Stem(name); stem != want.stem || ok != want.ok {
			t.Errorf("Stem(%q) = %q, %v, want %q, %v", name, stem, ok, want.stem, want.ok)
		}
	}
}
