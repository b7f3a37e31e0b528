package accuracy

import (
	"testing"

	"github.com/gotriage/triage/internal/captures"
)

// playedForms are the forms of a scene that its label names.
func playedForms(t *testing.T, _ string, c *captures.Case) (all []capture) {
	play := scenesToPlay()[c.Name]
	if play == nil {
		t.Errorf("nobody plays %s", c.Name)
		return nil
	}
	w := newWorld(t, c.Name)
	play(w)
	w.snap()
	for _, form := range c.Forms {
		files := w.files(form.Name)
		if form.Name == "folder" {
			files = playedTwice(t, c.Name, play)
		}
		all = append(all, capture{name: c.Name + "/" + form.Name, form: form.Name, files: files})
	}
	return all
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
