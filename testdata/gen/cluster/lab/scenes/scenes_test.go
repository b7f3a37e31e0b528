package scenes

import (
	"os"
	"testing"

	"sigs.k8s.io/yaml"
)

// TestEveryLabelHasItsScenes holds the scenes against the labels: variants, levels, and nothing that is not labelled.
func TestEveryLabelHasItsScenes(t *testing.T) {
	want := map[string]string{}
	for _, half := range []string{"a", "b"} {
		for _, c := range read(t, "../../../../cluster/"+half+".yaml") {
			want[c.Name] = c.About.Level
			if c.RootCause.Category == "none" {
				want[c.Name] += " healthy"
			}
		}
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

// A label is what is read of one.
type label struct {
	Name      string
	RootCause struct{ Category any } `json:"root_cause"`
	About     struct{ Level string }
}

func read(t *testing.T, name string) (labels []label) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err == nil {
		err = yaml.Unmarshal(data, &labels)
	}
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return labels
}
