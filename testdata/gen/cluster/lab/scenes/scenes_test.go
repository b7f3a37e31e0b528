package scenes

import (
	"os"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestEveryLabelHasItsScenes holds the scenes against the labels: variants, levels, and nothing that is not labelled.
func TestEveryLabelHasItsScenes(t *testing.T) {
	var faults, days []struct {
		Name, Level string
		A, B        struct{ Level string }
	}
	read(t, "../../faults.yaml", &faults)
	read(t, "../../healthy.yaml", &days)
	want := map[string]string{}
	for _, f := range faults {
		want[f.Name+"-a"], want[f.Name+"-b"] = f.A.Level, f.B.Level
	}
	for _, d := range days {
		want[d.Name+"-a"] = d.Level + " healthy"
	}
	for _, s := range All() {
		level := s.Level
		if s.Healthy {
			level += " healthy"
		}
		name := s.Name + "-" + s.Variant
		if want[name] != level {
			t.Errorf("%s: level %q, its label says %q", name, level, want[name])
		}
		delete(want, name)
	}
	for name := range want {
		t.Errorf("%s has a label and no scene", name)
	}
}

func read(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err == nil {
		err = yaml.Unmarshal(data, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}
