package accuracy

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
)

// sceneLists are the lists of scenes that are played here.
var sceneLists = []string{"scenes.tsv", "scenes-objects.tsv", "scenes-kinds.tsv", "scenes-turns.tsv"}

// sceneColumns are those of a list of scenes: scene, half, forms, categories, severity, objects, and what the finding
// says. The last four are left out where nothing is wrong.
const sceneColumns = 7

// scenes are all scenes, each in the forms that its label names.
func scenes(t *testing.T, population string) (all []*batch) {
	played := scenesToPlay()
	for _, list := range sceneLists {
		for _, row := range readTSV(t, filepath.Join("testdata", list)) {
			row = append(row, make([]string, sceneColumns)...)[:sceneColumns]
			name, play := row[0], played[row[0]]
			if play == nil {
				t.Errorf("nobody plays %s", name)
				continue
			}
			all = append(all, &batch{population: population, half: row[1], inputs: func(t *testing.T, _ string) (inputs []*input) {
				w := newWorld(t, name)
				play(w)
				w.snap()
				for _, form := range strings.Fields(row[2]) {
					files := w.files(form)
					if form == "folder" {
						files = playedTwice(t, name, play)
					}
					inputs = append(inputs, &input{program: name, name: name + "/" + form, form: form, files: files,
						label: sceneLabel(row, form)})
				}
				return inputs
			}})
		}
	}
	return all
}

// sceneLabel is the label of one form of a scene.
func sceneLabel(row []string, form string) *label {
	if row[3] == "" {
		return nothing()
	}
	l := &label{Least: rules.Severity(row[4])}
	objects := strings.Split(row[5], "|")
	for i := range objects {
		objects[i] = strings.TrimSpace(objects[i])
	}
	for _, category := range strings.Fields(row[3]) {
		l.Acceptable = append(l.Acceptable, place{Category: category, Object: objects})
	}
	l.RootCause = l.Acceptable[0]
	for _, say := range strings.Split(row[6], "|") {
		text, forms, some := strings.Cut(say, "@")
		if text != "" && (!some || slices.Contains(strings.Fields(forms), form)) {
			l.Says = append(l.Says, text)
		}
	}
	return l
}

// playedTwice plays a scene in two clusters, whose audit logs, streams and lists lie in one folder.
func playedTwice(t *testing.T, name string, play func(*world)) (files []string) {
	for _, seed := range []string{name, name + " again"} {
		w := newWorld(t, seed)
		play(w)
		w.snap()
		files = append(files, w.files("bodies")...)
		files = append(files, w.files("watch")...)
	}
	return files
}
