package triage_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/gotriage/triage/rules"
)

// TestClusterCapturesAreJudgedByTheirLabels judges captures made by hand of a bundle in which two controllers fight.
func TestClusterCapturesAreJudgedByTheirLabels(t *testing.T) {
	const fight = "../testdata/bundles/fight-bodies.tar.gz"
	right := clusterVariant{Object: "Deployment shop/storefront", Field: "spec.replicas",
		Actors: []string{"system:serviceaccount:scaling:replica-governor"}}
	for _, c := range []struct {
		name    string
		edit    func(f *clusterFault, v *clusterVariant)
		verdict string
		accused bool
	}{
		{"right", func(*clusterFault, *clusterVariant) {}, verdictFirst, false},
		{"pattern", func(_ *clusterFault, v *clusterVariant) { v.Object = "Deployment shop/s*" }, verdictFirst, false},
		{"accepted", func(_ *clusterFault, v *clusterVariant) {
			v.Object, v.Accept = "ConfigMap shop/web", []string{"Deployment shop/storefront"}
		}, verdictFirst, false},
		{"actor", func(_ *clusterFault, v *clusterVariant) { v.Actors = []string{"system:serviceaccount:shop:nobody"} },
			verdictVague, false},
		{"field", func(_ *clusterFault, v *clusterVariant) { v.Field = "spec.paused" }, verdictVague, false},
		{"text", func(_ *clusterFault, v *clusterVariant) { v.Says = []string{"a webhook"} }, verdictVague, false},
		{"mild", func(f *clusterFault, _ *clusterVariant) { f.Least = rules.Critical }, verdictMild, false},
		{"object", func(_ *clusterFault, v *clusterVariant) { v.Object = "Deployment shop/other" }, verdictMissed, true},
		{"category", func(f *clusterFault, _ *clusterVariant) { f.Category = "memory" }, verdictMissed, false},
		{"elsewhere", func(f *clusterFault, v *clusterVariant) { f.Inputs, v.Object = nil, "Node n" }, verdictWrong, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			copyFile(t, fight, filepath.Join(dir, "fight-a", "bundle.tar.gz"))
			f := &clusterFault{Name: "fight", Category: "hot-loop", Least: rules.Medium, Inputs: []string{"bundle"}, A: right}
			c.edit(f, &f.A)
			inputs := replayCluster(t, dir, []*clusterScene{{"fight", "a", f, &f.A, true}})
			in := inputs[len(inputs)-1]
			if in.form != "bundle" || in.verdict != c.verdict || (in.accused != "") != c.accused {
				t.Errorf("%s: %s, lacks %q, accuses %q", in.name(), in.verdict, in.lacks, in.accused)
			}
		})
	}
}

// TestHealthyClusterCapturesAreJudged: whatever is above low is an alarm.
func TestHealthyClusterCapturesAreJudged(t *testing.T) {
	dir := t.TempDir()
	copyFile(t, "../testdata/bundles/fight-bodies.tar.gz", filepath.Join(dir, "noisy-a", "bundle.tar.gz"))
	days := clusterScenes(nil, []clusterDay{{Name: "noisy"}, {Name: "missing"}})
	inputs := replayCluster(t, dir, days)
	for _, in := range inputs {
		if in.form == "bundle" && in.verdict != verdictAlarm {
			t.Errorf("%s: %s", in.name(), in.verdict)
		}
	}
	if len(inputs) == 0 {
		t.Error("nothing was judged")
	}
}

// copyFile copies a file into a folder that it makes.
func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(to), 0o755)
	}
	if err == nil {
		err = os.WriteFile(to, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
