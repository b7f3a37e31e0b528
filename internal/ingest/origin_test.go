package ingest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestANumberBehindAContainersLogIsTheInstanceBeforeInAKitsBundle(t *testing.T) {
	h := collect(t, written(t, "x", zipOf(t,
		member{name: "b/logs/shop/web-1/app.log", content: "now\n"}, member{name: "b/logs/shop/web-1/app.log.1", content: "before\n"},
		member{name: "b/nodes/n/logs/kernel.log", content: "new\n"}, member{name: "b/nodes/n/logs/kernel.log.1", content: "old\n"},
	)))
	if diff := cmp.Diff([]string{"now", "before", "old", "new"}, h.lines); diff != "" || len(h.sources) != 3 {
		t.Errorf("%d sources: %s", len(h.sources), diff)
	}
	if h.sources[0].Origin.Previous || !h.sources[1].Origin.Previous {
		t.Errorf("%+v", h.sources)
	}
}

func TestTheMarksOfAClusterInfoDumpPartItsContainers(t *testing.T) {
	const text = `==== START logs for container init of pod shop/web-1 ====
starting
==== END logs for container init of pod shop/web-1 ====
==== START logs for container app of pod shop/web-1 ====
goroutine 1 [running]:
=== RUN no mark
==== END logs for container app of pod shop/web-1 ====
`
	lines, res := readBytes(t, []byte(text), 0)
	want := []got{{"starting", "web-1/init", "", 2}, {"goroutine 1 [running]:", "web-1/app", "", 5}, {"=== RUN no mark", "web-1/app", "", 6}}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
	if o := res.Streams[1].Origin; o.Namespace != "shop" || o.Pod != "web-1" || o.Container != "app" {
		t.Errorf("%+v", res.Streams)
	}
}
