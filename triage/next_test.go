package triage

import (
	"slices"
	"testing"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/internal/identity"
	"github.com/gotriage/triage/triage/internal/sources"
	"github.com/gotriage/triage/triage/schema"
)

func TestCommandsOnArchivedFilesTakeThemOutFirst(t *testing.T) {
	for input, want := range map[string][]string{
		"b.zip!/pprof/heap.pb.gz":         {"unzip -p b.zip pprof/heap.pb.gz > heap.pb.gz", "go tool pprof -top heap.pb.gz", "kubectl get pods"},
		"b.tar.xz!/x/heap":                {"tar -xOf b.tar.xz x/heap > heap", "go tool pprof -top heap", "kubectl get pods"},
		"b.zip!/nodes/n 1.zip!/n/heap.pb": {"unzip -p b.zip 'nodes/n 1.zip' > 'n 1.zip'", "unzip -p 'n 1.zip' n/heap.pb > heap.pb", "go tool pprof -top heap.pb", "kubectl get pods"},
		"b.zip!/a/$(reboot);`id`/heap'$x": {"unzip -p b.zip " + rules.Quote("a/$(reboot);`id`/heap'$x") + " > " + rules.Quote("heap'$x"), "go tool pprof -top " + rules.Quote("heap'$x"), "kubectl get pods"},
		"-!/x/heap":                       {"(unzip -p FILE x/heap || tar -xOf FILE x/heap) > heap", "go tool pprof -top heap", "kubectl get pods"},
		"heap.pb.gz":                      {"go tool pprof -top heap.pb.gz", "kubectl get pods"},
	} {
		f := rules.Finding{Evidence: []rules.Evidence{{Input: input}}, Next: rules.Commands("go tool pprof -top "+rules.Quote(input), "kubectl get pods")}
		(&inputPlaces{}).unpackFirst(&f)
		if !slices.Equal(f.Next, rules.Commands(want...)) {
			t.Errorf("%s: %+v, want %q", input, f.Next, want)
		}
	}
	f := rules.Finding{Evidence: []rules.Evidence{{Input: "b.zip!/x.log"}}, Next: rules.Commands("kubectl get pods")}
	if (&inputPlaces{}).unpackFirst(&f); len(f.Next) != 1 {
		t.Errorf("nothing asks for the file: %+v", f.Next)
	}
}

func TestAFindingAboutABundleAsksNoClusterForWhatTheBundleHolds(t *testing.T) {
	get, watch := rules.Command("kubectl -n shop get pod web-0 -o yaml"), rules.Command("kubectl -n shop get pod web-0 -w -o yaml")
	stop := rules.Step{Command: "kubectl -n shop scale deployment web --replicas=0", Comment: "stops it", Changes: true}
	source := rules.Command("go vet ./...")
	const prints = "prints environment variables"
	stays := []rules.Step{source, watch.Note(prints + "; on the cluster"), stop.Note("stops it (on the cluster)")}
	bundle := schema.Bundle{Path: "gathered", Layout: "OpenShift must-gather"}
	capture := identity.ReadCapture("cap.zip!/manifest.json", []byte(`{"schema": "triage-capture/v1", "items": []}`))
	for _, tt := range []struct {
		input string
		want  []rules.Step
	}{
		{"b.tar.gz!/shop/pods.yaml", append([]rules.Step{show("tar -xOf b.tar.gz ./shop/pods.yaml | sed -n '7,46p'")}, stays...)},
		{"b.zip!/shop/1.log.gz", append([]rules.Step{show("unzip -p b.zip shop/1.log.gz | gzip -dc | sed -n '7,46p'")}, stays...)},
		{"b.zip!/n1.zip!/watch.jsonl", append([]rules.Step{rules.Command("unzip -p b.zip n1.zip > n1.zip"),
			show("unzip -p n1.zip watch.jsonl | sed -n '7p' | cut -c-2000")}, stays...)},
		{"gathered/shop/a b.log", append([]rules.Step{show("sed -n '7,46p' 'gathered/shop/a b.log'")}, stays...)},
		{"b.zip!/shop/web[0].log", stays}, // a pattern for unzip
		{"shop/pods.yaml", []rules.Step{source, get.Note(prints), watch.Note(prints), stop}},
		{"cap.zip!/previous.log", []rules.Step{source, get.Note(prints), watch.Note(prints), stop}}, // of a process at hand
	} {
		r := &schema.Report{Bundles: []schema.Bundle{bundle}, Findings: []rules.Finding{{
			Evidence: []rules.Evidence{{Input: tt.input, Line: 7}}, Next: []rules.Step{source, get, watch, stop}}}}
		part := ingest.Part{Path: "b.tar.gz!/shop/pods.yaml", Stored: "b.tar.gz!/./shop/pods.yaml"}
		makeStepsLocal(r, nil, []*sources.Result{{Capture: capture, Source: ingest.Source{Parts: []ingest.Part{part}}}})
		if got := r.Findings[0].Next; !slices.Equal(got, tt.want) {
			t.Errorf("%s:\n%+v\nwant\n%+v", tt.input, got, tt.want)
		}
	}
}

func show(command string) rules.Step { return rules.Command(command).Note("the lines in the bundle") }
