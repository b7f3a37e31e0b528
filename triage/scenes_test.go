package triage_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
)

var (
	onlyScene  = flag.String("scene", "", "play this scene only, and print what is found")
	sceneHalf  = flag.String("scenes", "", "play one half of the scenes: seen or unseen")
	sceneLabel = "testdata/scenes.tsv"
)

// A scene is a label of testdata/scenes.tsv.
type scene struct {
	name, half string
	forms      []string
	fault      *clusterFault // nil for a healthy one
	says       []string      // TEXT or TEXT@FORMS
}

// leastScenes is how many of the inputs of faulty scenes are right at the first place, in percent; no healthy one gives
// an alarm.
const leastScenes = 98

// TestScenesAreJudged plays what happens in clusters and judges what triage says about each form of it.
func TestScenesAreJudged(t *testing.T) {
	if raceDetector {
		t.Skip("the scenes are played once, without the race detector")
	}
	played := scenesToPlay()
	first, shown, alarms, healthy := map[string]int{}, map[string]int{}, 0, 0
	for _, s := range readScenes(t) {
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
			in := s.judge(t, w, play, form)
			wrong := in.wrong()
			switch {
			case s.fault == nil:
				if healthy++; in.verdict != verdictQuiet {
					alarms++
				}
			default:
				if shown[form]++; in.verdict == verdictFirst {
					first[form]++
				}
			}
			if wrong != "" {
				t.Logf("%s/%s: %s", s.name, form, wrong)
			}
		}
	}
	n, all := 0, 0
	for _, form := range []string{"metadata", "bodies", "one", "watch", "snapshots", "folder"} {
		n, all = n+first[form], all+shown[form]
		if shown[form] > 0 {
			t.Logf("%s: %d of %d first", form, first[form], shown[form])
		}
	}
	t.Logf("%d of %d first, %d of %d healthy inputs alarmed", n, all, alarms, healthy)
	if *onlyScene == "" && (100*n < leastScenes*all || leastScenes > 0 && alarms > 0) {
		t.Errorf("less than %d %% first, or alarms", leastScenes)
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

// readScenes reads the labels.
func readScenes(t *testing.T) []*scene {
	data, err := os.ReadFile(sceneLabel)
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
