package triage

import (
	"slices"
	"testing"

	"github.com/gotriage/triage/rules"
)

func TestCommandsOnArchivedFilesTakeThemOutFirst(t *testing.T) {
	for input, want := range map[string][]string{
		"b.zip!/pprof/heap.pb.gz":         {"unzip -p b.zip pprof/heap.pb.gz > heap.pb.gz", "go tool pprof -top heap.pb.gz", "kubectl get pods"},
		"b.tar.xz!/x/heap":                {"tar -xOf b.tar.xz x/heap > heap", "go tool pprof -top heap", "kubectl get pods"},
		"b.zip!/nodes/n 1.zip!/n/heap.pb": {"unzip -p b.zip 'nodes/n 1.zip' > 'n 1.zip'", "unzip -p 'n 1.zip' n/heap.pb > heap.pb", "go tool pprof -top heap.pb", "kubectl get pods"},
		"b.zip!/a/$(reboot);`id`/heap'$x": {"unzip -p b.zip " + rules.Quote("a/$(reboot);`id`/heap'$x") + " > " + rules.Quote("heap'$x"), "go tool pprof -top " + rules.Quote("heap'$x"), "kubectl get pods"},
		"heap.pb.gz":                      {"go tool pprof -top heap.pb.gz", "kubectl get pods"},
	} {
		f := rules.Finding{Evidence: []rules.Evidence{{Input: input}}, Next: rules.Commands("go tool pprof -top "+rules.Quote(input), "kubectl get pods")}
		(&places{}).unpack(&f)
		if !slices.Equal(f.Next, rules.Commands(want...)) {
			t.Errorf("%s: %+v, want %q", input, f.Next, want)
		}
	}
	f := rules.Finding{Evidence: []rules.Evidence{{Input: "b.zip!/x.log"}}, Next: rules.Commands("kubectl get pods")}
	if (&places{}).unpack(&f); len(f.Next) != 1 {
		t.Errorf("nothing asks for the file: %+v", f.Next)
	}
}
