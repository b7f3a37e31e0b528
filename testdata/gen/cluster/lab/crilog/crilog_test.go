package crilog

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLinesAreTagged: whole lines have the tag F, and a long one is cut into parts with the tag P.
func TestLinesAreTagged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pod", "app", "0.log")
	log, err := Create(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	text := "first\n\n" + strings.Repeat("x", longest+5) + "\nunfinished"
	out := log.Stream("stderr")
	for _, piece := range []string{text[:3], text[3:100], text[100:]} {
		if _, err := out.Write([]byte(piece)); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var tags []string
	for line := range bytes.Lines(data) {
		fields := strings.SplitN(string(line), " ", 4)
		tags = append(tags, fields[1]+fields[2])
	}
	if got, want := strings.Join(tags, " "), "stderrF stderrF stderrP stderrF stderrF"; got != want {
		t.Errorf("tags are %s, want %s", got, want)
	}
	if got := string(Untag(data, false)); got != text+"\n" {
		t.Errorf("without tags the log has %d bytes, want those %d that were written and an end of line", len(got), len(text)+1)
	}
}

// TestLogIsRotated: a log above its limit goes on in a new file, and the old one keeps the lines.
func TestLogIsRotated(t *testing.T) {
	path := filepath.Join(t.TempDir(), "0.log")
	log, err := Create(path, 10)
	if err != nil {
		t.Fatal(err)
	}
	out := log.Stream("stdout")
	for range 2 {
		if _, err := out.Write([]byte("a line\n")); err != nil {
			t.Fatal(err)
		}
	}
	old, err := filepath.Glob(path + ".2*")
	if err != nil || len(old) != 1 {
		t.Fatalf("rotated files: %v, %v", old, err)
	}
	for _, name := range []string{path, old[0]} {
		if data, err := os.ReadFile(name); err != nil || string(Untag(data, false)) != "a line\n" {
			t.Errorf("%s holds %q, %v", filepath.Base(name), data, err)
		}
	}
}
