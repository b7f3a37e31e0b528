package redact

import "testing"

func TestEachDetectorSaysInOneWayWhereItsSecretIs(t *testing.T) {
	for _, d := range detectors {
		ways := 0
		for _, way := range []string{d.keys, d.begins, d.words, d.holds} {
			if way != "" {
				ways++
			}
		}
		if ways != 1 || d.name == "" || d.class == "" || (d.keys != "") != (d.kind != keyPlain) {
			t.Errorf("%+v", d)
		}
		if d.words != "" && (d.sep == "" || d.more != 0 && d.accept == nil) || d.attached != (d.begins != "" && d.form == "" && d.before != "") {
			t.Errorf("%s: nothing says where its value begins and ends", d.name)
		}
	}
}
