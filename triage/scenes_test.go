package triage_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
)

var (
	onlyScene = flag.String("scene", "", "play this scene only, and print what is found")
	sceneHalf = flag.String("scenes", "", "play one half of the scenes: seen or unseen")
)

// A sceneGroup is a file of labels with what is to be right: so many of the inputs of faulty scenes at the first place,
// in
// percent, and so many alarms of healthy ones at most.
type sceneGroup struct {
	labels        string
	first, alarms int
}

var sceneGroups = []sceneGroup{{"testdata/scenes.tsv", 98, 0}, {"testdata/scenes-objects.tsv", 90, 0},
	{"testdata/scenes-kinds.tsv", 85, 1}, {"testdata/scenes-turns.tsv", 85, 1}}

// A scene is a label of testdata/scenes.tsv.
type scene struct {
	name, half string
	forms      []string
	fault      *clusterFault // nil for a healthy one
	says       []string      // TEXT or TEXT@FORMS
}

// sceneForms are the forms of inputs, in the order in which their figures are shown.
var sceneForms = []string{"metadata", "request", "bodies", "one", "watch", "snapshots", "snapshot", "describe", "table",
	"logs", "bundle", "folder"}

// TestScenesAreJudged plays what happens in clusters and judges what triage says about each form of it.
func TestScenesAreJudged(t *testing.T) {
	if raceDetector {
		t.Skip("the scenes are played once, without the race detector")
	}
	for _, g := range sceneGroups {
		t.Run(strings.TrimSuffix(filepath.Base(g.labels), ".tsv"), g.play)
	}
}

// play plays the scenes of a group and holds its figures against what they have to be.
func (g sceneGroup) play(t *testing.T) {
	verdicts, alarms, healthy, wrongly := map[string]map[string]int{}, 0, 0, 0
	for _, form := range append([]string{"all"}, sceneForms...) {
		verdicts[form] = map[string]int{}
	}
	g.each(t, func(s *scene, in *clusterInput) {
		if wrong := in.wrong(); wrong != "" {
			t.Logf("%s/%s: %s", s.name, in.form, wrong)
		}
		if s.fault == nil {
			if healthy++; in.verdict != verdictQuiet {
				alarms++
			}
			return
		}
		for _, form := range []string{"all", in.form} {
			verdicts[form]["shown"]++
			verdicts[form][in.verdict]++
		}
		if in.accused != "" {
			wrongly++
		}
	})
	for _, form := range sceneForms {
		if n := verdicts[form]["shown"]; n > 0 {
			t.Logf("%s: %d of %d first", form, verdicts[form][verdictFirst], n)
		}
	}
	all := verdicts["all"]
	t.Logf("%d of %d first, %d among three, %d accused wrongly, %d of %d healthy inputs alarmed", all[verdictFirst],
		all["shown"],
		all[verdictFirst]+all[verdictThird], wrongly, alarms, healthy)
	if *onlyScene == "" && (100*all[verdictFirst] < g.first*all["shown"] || alarms > g.alarms) {
		t.Errorf("less than %d %% first, or more than %d alarms", g.first, g.alarms)
	}
}

// each plays the scenes of a group that were asked for, and judges each form of them.
func (g sceneGroup) each(t *testing.T, judged func(s *scene, in *clusterInput)) {
	played := scenesToPlay()
	for _, s := range g.scenes(t) {
		if *onlyScene != "" && s.name != *onlyScene || *sceneHalf != "" && s.half != *sceneHalf {
			continue
		}
		play := played[s.name]
		if play == nil {
			t.Errorf("nobody plays %s", s.name)
			continue
		}
		w := newWorld(t, s.name)
		play(w)
		w.snap()
		for _, form := range s.forms {
			judged(s, s.judge(t, w, play, form))
		}
	}
}

// judge holds one form of what was played against the label.
func (s *scene) judge(t *testing.T, w *world, play func(*world), form string) *clusterInput {
	files := w.files(form)
	if form == "folder" {
		files = s.twice(t, play)
	}
	r, err := triage.Run(context.Background(), triage.Options{Inputs: files})
	if err != nil {
		t.Fatalf("%s %s: %v", s.name, form, err)
	}
	label := &clusterVariant{}
	if s.fault != nil {
		label = &s.fault.A
		label.Says = nil
		for _, say := range s.says {
			if text, forms, ok := strings.Cut(say, "@"); !ok || slices.Contains(strings.Fields(forms), form) {
				label.Says = append(label.Says, text)
			}
		}
	}
	in := &clusterInput{scene: &clusterScene{name: s.name, fault: s.fault, label: label}, form: form}
	in.judge(r)
	if *onlyScene != "" {
		for i := range r.Findings {
			f := &r.Findings[i]
			fmt.Printf("  %s/%s %s %s %s: %s\n", s.name, form, f.Rule, summary(f), f.Category, f.Title)
		}
	}
	return in
}

// twice plays a scene in two clusters, whose audit logs, streams and lists lie in one folder.
func (s *scene) twice(t *testing.T, play func(*world)) []string {
	var files []string
	for _, seed := range []string{s.name, s.name + " again"} {
		w := newWorld(t, seed)
		play(w)
		w.snap()
		files = append(files, w.files("bodies")...)
		files = append(files, w.files("watch")...)
	}
	return files
}

// scenes reads the labels.
func (g sceneGroup) scenes(t *testing.T) []*scene {
	data, err := os.ReadFile(g.labels)
	if err != nil {
		t.Fatal(err)
	}
	var all []*scene
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := append(strings.Split(strings.TrimRight(line, "\n"), "\t"), "", "", "", "")
		s := &scene{name: f[0], half: f[1], forms: strings.Fields(f[2])}
		if f[3] != "" {
			categories, objects := strings.Fields(f[3]), strings.Split(f[5], "|")
			for i := range objects {
				objects[i] = strings.TrimSpace(objects[i])
			}
			s.fault = &clusterFault{Name: s.name, Category: categories[0], Also: categories[1:], Least: rules.Severity(f[4]),
				Inputs: s.forms, A: clusterVariant{Object: objects[0], Accept: objects[1:]}}
			if f[6] != "" {
				s.says = strings.Split(f[6], "|")
			}
		}
		all = append(all, s)
	}
	return all
}
