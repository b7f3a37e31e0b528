package convert

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gotriage/triage/triage/schema"
)

func TestABundleSumsUpWhatAnArgumentHeld(t *testing.T) {
	inputs := []schema.Input{
		{Path: "b.zip!/b/logs/shop/web-1/web.log", Kind: "pod-log", Bytes: 100, Namespace: "shop", Pod: "web-1", Node: "node-1",
			First: "2026-03-04T05:12:00+01:00", Last: "2026-03-04T04:50:00Z"},
		{Path: "b.zip!/b/logs/shop/web-2/web.log", Kind: "pod-log", Bytes: 20, Namespace: "shop", Pod: "web-2", Node: "node-1",
			First: "2026-03-04T04:11:00Z", Last: "2026-03-04T04:20:00Z"},
		{Path: "alone.log", Kind: "pod-log", Bytes: 1},
		{Path: "b.zip!/b/yamls/cluster/v1/nodes.yaml", Kind: "kubernetes-objects", Bytes: 3},
		{Path: "b.zip!/b/metadata.yaml", Kind: "kubernetes-objects"},
	}
	got := Bundles([]string{"alone.log", "./b.zip"}, inputs, []schema.Skipped{{Path: "b.zip!/b/link"}, {Path: "gone.log"}})
	want := []schema.Bundle{{Path: "b.zip", Layout: "support-bundle-kit bundle", Files: 4, Bytes: 123,
		Kinds: []schema.Tally{{Name: "kubernetes-objects", Count: 2}, {Name: "pod-log", Count: 2}}, Skipped: 1, Nodes: 1, Pods: 2,
		First: "2026-03-04T04:11:00Z", Last: "2026-03-04T04:50:00Z"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAFileBelongsToTheArgumentThatItWasFoundUnder(t *testing.T) {
	for _, c := range []struct{ args, path, want string }{
		{"dir", "dir/a.log", "dir"},
		{"dir/", "dir/sub/a.zip!/x", "dir"},
		{"./dir", "dir/a.log", "dir"},
		{"dir dir/sub", "dir/sub/a.log", "dir/sub"},
		{"dir", "directory/a.log", ""},
		{"a.log", "a.log", ""},
		{"a.zip", "a.zip!/in/a.log", "a.zip"},
		{"-", "-!/in/a.log", "-"},
		{"-", "-", ""},
		{".", "x/a.log", "."},
		{".", "-", ""},
		{"/", "/x/a.log", "/"},
		{"node-*/*.zip", "node-1/b.zip!/x/y.log", "node-1/b.zip"},
		{"node-*", "node-1/logs/y.log", "node-1"},
		{"*.log", "a.log", ""},
		{"[", "a/b.log", ""},
	} {
		name, _ := indexArguments(strings.Fields(c.args)).of(c.path)
		if name != c.want {
			t.Errorf("%s is said to be found under %q, not %q, of %s", c.path, name, c.want, c.args)
		}
		if b := (schema.Bundle{Path: c.want}); c.want != "" && !b.Holds(c.path) {
			t.Errorf("%s doesn't hold %s", c.want, c.path)
		}
	}
}

func TestAnArgumentWithOneFileIsNoBundle(t *testing.T) {
	inputs := []schema.Input{{Path: "dir/a.log", Kind: "pod-log"}}
	if got := Bundles([]string{"dir"}, inputs, nil); got != nil {
		t.Errorf("%+v", got)
	}
	if got := Bundles([]string{"dir"}, inputs, []schema.Skipped{{Path: "dir/b.log"}}); len(got) != 1 || got[0].Skipped != 1 {
		t.Errorf("a folder of which one of two files was read: %+v", got)
	}
}

func TestLayoutsFollowFromTheirPaths(t *testing.T) {
	for _, c := range []struct {
		want  string
		paths []string
	}{
		{"Harvester support bundle", []string{"sb/yamls/cluster/v1/nodes.yaml", "sb/logs/harvester-system/harvester-1/apiserver.log", "sb/logs/longhorn-system/m-1/m.log"}},
		{"Longhorn support bundle", []string{"yamls/cluster/v1/nodes.yaml", "logs/longhorn-system/m-1/m.log"}},
		{"support-bundle-kit bundle", []string{"sb/yamls/cluster/v1/nodes.yaml", "sb/metadata.yaml"}},
		{"OpenShift must-gather", []string{"mg/quay-io-x/cluster-scoped-resources/core/nodes/n.yaml", "mg/quay-io-x/namespaces/a/core/pods.yaml"}},
		{"OpenShift must-gather", []string{"inspect/namespaces/a/pods/p/c/c/logs/current.log"}},
		{"troubleshoot support bundle", []string{"support-bundle-2026/cluster-resources/pods/default.json"}},
		{"OpenShift Insights archive", []string{"config/pod/openshift/p.json", "insights-operator/gathers.json"}},
		{"OpenShift Insights archive", []string{"config/pod/openshift/p.json", "insights-operator/gathers.json", "conditional/namespaces/a/pods/p/containers/c/logs/last-100-lines.log"}},
		{"kubectl cluster-info dump", []string{"nodes.json", "kube-system/etcd-0/logs.txt"}},
		{"Rancher logs collection", []string{"host-1/systeminfo/df", "host-1/networking/ip"}},
		{"Rancher profiles collection", []string{"tmp/web-1-goroutine-2026", "tmp/top-pods.txt"}},
		{"Kubernetes pod logs", []string{"pods/shop_web-1_6b1f0c1e-0000-4000-8000-000000000001/web/0.log.20260101-000000.gz"}},
		{"", []string{"a.log", "logs/b.log", "namespaces/notes.txt"}},
		{"", nil},
	} {
		if got := layoutOf(c.paths); got != c.want {
			t.Errorf("%v are %q, not %q", c.paths, got, c.want)
		}
	}
}

func TestACopyIsNoFileThatWasNotRead(t *testing.T) {
	inputs := []schema.Input{{Path: "dir/a.log", Kind: "pod-log"}, {Path: "dir/b.log", Kind: "pod-log"}}
	skips := []schema.Skipped{schema.SkippedCopy("dir/b.log", "dir/a.log"), {Path: "dir/c.log", Reason: "no permission"}}
	if got := Bundles([]string{"dir"}, inputs, skips); len(got) != 1 || got[0].Skipped != 1 {
		t.Errorf("%+v", got)
	}
}
