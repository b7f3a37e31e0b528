package triage_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/goccy/go-yaml"
)

const (
	agedLabels = "../testdata/gen/aged/labels.yaml"
	agedDir    = "../testdata/aged"
)

// Minutes in a dump are evidence of their own when they are many.
func TestProgramsOfTwentyMinutesAreJudgedAsLabelled(t *testing.T) {
	data, err := os.ReadFile(agedLabels)
	if err != nil {
		t.Fatal(err)
	}
	var programs []wildBug
	if err := yaml.Unmarshal(data, &programs); err != nil {
		t.Fatal(err)
	}
	for i := range programs {
		p := &programs[i]
		variant := map[string]string{"healthy": "fixed", "guilty": "bad"}[p.Kind]
		if variant == "" {
			t.Fatalf("%s is %q", p.Name, p.Kind)
		}
		dir := unpacked(t, filepath.Join(agedDir, p.Name+".tar.xz"))
		for _, form := range []string{"debug2", "signal"} {
			in := &wildInput{bug: p, variant: variant, form: form}
			in.judge(t, []string{filepath.Join(dir, form+".txt")})
			switch {
			case variant == "fixed" && in.alarm != "":
				t.Errorf("%s, %s: %s", p.Name, form, in.alarm)
			case variant == "bad" && (in.verdict != verdictFirst || in.accused != ""):
				t.Errorf("%s, %s: %s %s", p.Name, form, in.verdict, in.accused)
			}
		}
	}
}
