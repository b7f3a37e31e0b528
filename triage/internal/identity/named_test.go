package identity

import (
	"testing"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/internal/kube"
)

func pod(namespace, name string) *kube.Pod {
	return &kube.Pod{Meta: kube.Meta{Ref: kube.Ref{Namespace: namespace, Name: name}}, Node: "node-1", Containers: []kube.Container{{Name: "app"}}}
}

func TestFilesAreOfThePodThatTheyAreNamedAfter(t *testing.T) {
	names := Naming{Pods: PodNamesOf(&kube.Cluster{Pods: []*kube.Pod{
		pod("media", "thumb-cache-7c9d5b84-mmwm8"), pod("shop", "web-0"), pod("one", "same-name-0"), pod("two", "same-name-0"), pod("db", "database0"),
	}})}
	for path, want := range map[string]string{
		"b.zip!/pprof/thumb-cache-7c9d5b84-mmwm8-heap.pb.gz":              "thumb-cache-7c9d5b84-mmwm8",
		"b.zip!/pprof/thumb-cache-7c9d5b84-mmwm8.pb":                      "thumb-cache-7c9d5b84-mmwm8",
		"captures/thumb-cache-7c9d5b84-mmwm8/cpu.pb.gz":                   "thumb-cache-7c9d5b84-mmwm8",
		"captures/thumb-cache-7c9d5b84-mmwm8_goroutine_20260306T1200.txt": "thumb-cache-7c9d5b84-mmwm8",
		"pprof/thumb-cache-7c9d5b84-mmwm8b-heap.pb.gz":                    "", // another pod, of which nothing is known
		"pprof/thumb-cache-heap.pb.gz":                                    "", // a workload's name is no pod's
		"pprof/web-0.pb.gz":                                               "", // too short to be sure
		"pprof/same-name-0.pb.gz":                                         "", // which of the two?
		"pprof/database0.pb.gz":                                           "", // a word
		"":                                                                "",
	} {
		target, process := names.Of(path, ingest.Origin{}, "")
		if target.Pod != want || (process != "") != (want != "") {
			t.Errorf("%q: pod %q, process %q", path, target.Pod, process)
		}
	}
	if got, process := names.Of("thumb-cache-7c9d5b84-mmwm8.log", ingest.Origin{Namespace: "a", Pod: "b", Restart: -1}, ""); got.Pod != "b" || process != "a/b/" {
		t.Errorf("what a path tells gave way: %v, %q", got, process)
	}
}
