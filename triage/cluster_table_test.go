package triage_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// clusterHead begins docs/cluster.md.
const clusterHead = `# What triage finds in clusters

A control plane of three API servers, its controllers and played nodes goes through days with one fault each,
and through healthy days. What a person on call could collect from it is kept in testdata/cluster: audit logs of
all servers at one level, snapshots of the objects, a stream of watch events, logs, and a bundle with all of it
and profiles of the controllers. Audit logs with bodies are judged a second time without them. Each form is
judged alone, and so is the bundle.

The labels in testdata/gen/cluster/faults.yaml are older than the first capture. Each fault has two variants,
with other controllers, sizes, API servers and levels. Rules are developed with variants a and the healthy days;
variants b are replayed for their figures only, and what is missed in them is counted and not named.

*First* means that the first finding is of the fault, with enough severity, and names the object, and wherever
the input shows them the actors, the field, the function and the cause. *Vague* findings lack one of these.
*Wrong* accusations are findings of high or critical severity about something else.

At first contact, before any rule was changed, 44 of 95 inputs of variants a were first and 37 of 98 of variants
b, nothing was accused wrongly, and 21 of 126 healthy inputs gave an alarm.

This page is generated: ` + "`go test ./triage -run ClusterLabIsJudged -update`" + `.
`

// clusterTable is docs/cluster.md.
func clusterTable(inputs []*clusterInput) string {
	var b strings.Builder
	b.WriteString(clusterHead)
	writeClusterFigures(&b, inputs)
	writeClusterDays(&b, inputs)
	writeClusterMisses(&b, inputs)
	return b.String()
}

// writeClusterFigures writes a table by kind of fault for each variant, and one by form.
func writeClusterFigures(b *strings.Builder, inputs []*clusterInput) {
	for _, variant := range []string{"a", "b"} {
		part := slices.DeleteFunc(slices.Clone(inputs), func(in *clusterInput) bool {
			return in.scene.fault == nil || in.scene.variant != variant
		})
		if len(part) == 0 {
			continue
		}
		fmt.Fprintf(b, "\n## Variants %s\n\n", variant)
		writeClusterRows(b, "kind", part, func(in *clusterInput) string { return in.scene.fault.Kind })
		b.WriteByte('\n')
		writeClusterRows(b, "input", part, func(in *clusterInput) string { return in.form })
	}
}

// writeClusterRows writes one row of figures for each group of inputs, and one for all.
func writeClusterRows(b *strings.Builder, head string, inputs []*clusterInput, group func(*clusterInput) string) {
	fmt.Fprintf(b, "| %s | faults | inputs that show it | first | first three | vague | mild | missed | wrong |\n", head)
	b.WriteString("|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	var groups []string
	for _, in := range inputs {
		if !slices.Contains(groups, group(in)) {
			groups = append(groups, group(in))
		}
	}
	slices.Sort(groups)
	for _, g := range append(groups, "all") {
		faults, n := map[string]bool{}, map[string]int{}
		shown, wrong := 0, 0
		for _, in := range inputs {
			if g != "all" && group(in) != g {
				continue
			}
			faults[in.scene.name] = true
			if in.accused != "" {
				wrong++
			}
			if in.shown() {
				shown++
				n[in.verdict]++
			}
		}
		fmt.Fprintf(b, "| %s | %d | %d | %s | %s | %d | %d | %d | %d |\n", g, len(faults), shown,
			ofAll(n[verdictFirst], shown), ofAll(n[verdictFirst]+n[verdictThird], shown), n[verdictVague],
			n[verdictMild], n[verdictMissed]+n[verdictLater], wrong)
	}
}

// writeClusterDays writes what is reported about healthy days.
func writeClusterDays(b *strings.Builder, inputs []*clusterInput) {
	b.WriteString("\n## Healthy days\n\nWhatever is reported about them above low is an alarm.\n\n" +
		"| day | inputs | alarms |\n|---|--:|---|\n")
	all, alarmed := 0, 0
	for i, in := range inputs {
		if in.scene.fault != nil || i > 0 && inputs[i-1].scene == in.scene {
			continue
		}
		var texts []string
		n := 0
		for _, of := range inputs[i:] {
			if of.scene != in.scene {
				break
			}
			n++
			if len(of.alarms) > 0 {
				alarmed++
				texts = append(texts, of.form+": "+strings.Join(of.alarms, ", "))
			}
		}
		all += n
		fmt.Fprintf(b, "| %s | %d | %s |\n", in.scene.name, n, strings.Join(texts, "; "))
	}
	fmt.Fprintf(b, "\n%d inputs, of which %s give an alarm.\n", all, ofAll(alarmed, all))
}

// writeClusterMisses names what is wrong about variants a.
func writeClusterMisses(b *strings.Builder, inputs []*clusterInput) {
	b.WriteString("\n## What is wrong in variants a\n\n| fault | input | wrong |\n|---|---|---|\n")
	for _, in := range inputs {
		if text := in.wrong(); text != "" && in.scene.fault != nil && in.scene.variant == "a" {
			fmt.Fprintf(b, "| %s | %s | %s |\n", in.scene.name, in.form, text)
		}
	}
}

// eachInTar calls f for each file of an archive.
func eachInTar(t *testing.T, archive string, f func(name string, data []byte)) {
	t.Helper()
	for files := tar.NewReader(bytes.NewReader(uncompressed(t, archive))); ; {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%s: %v", archive, err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		data, err := io.ReadAll(files)
		if err != nil {
			t.Fatalf("%s: %v", archive, err)
		}
		f(h.Name, data)
	}
}
