// Command bundles writes small support bundles in the layouts that collectors leave, each with one known fault or none, and
// all.yaml, which says which. Times, names and values are invented; the text is what the components log. The same
// program gives the same bytes.
//
//	go run . -out ../../bundles
package main

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"example.com/bundles/archive"
	"example.com/capture"
)

// A story is one bundle, and what is wrong in it.
type story struct {
	name, layout string
	// verdict is guilty or healthy: of a healthy one nothing above low may be said.
	verdict  string
	severity string   // the least that the first finding must have; medium where ""
	category string   // that the first finding must have; several separated by |
	objects  []string // any of these names must be the finding's object
	actors   []string // all must be among the finding's actors; none where nobody may be named
	field    string   // that its text must name
	rule     string   // a word of the rule's name, several separated by |
	culprit  string   // the function to be named; none where no function may be
	why      string
	files    []archive.File
	pack     func(files []archive.File) ([]byte, error)
}

// beside are the bundles that documentation and single tests name: they lie as a collector leaves them. All others are in
// the folder all, without compression of their own, which gen/pack makes an archive of.
var beside = []string{"agent-two-bundles.tar", "crashloop-message.zip", "fight-bodies.tar.gz", "spin-mustgather.tar.xz",
	"storm-nodeaffinity.tar.gz", "talk-reconcile-loop.tar.gz"}

func main() {
	out := flag.String("out", "../../bundles", "folder for the bundles")
	data := flag.String("testdata", "../..", "the folder with dumps, pods and profiles")
	only := flag.String("only", "", "write only the bundles whose name matches this regular expression")
	flag.Parse()
	if err := run(*out, *data, *only); err != nil {
		fmt.Fprintln(os.Stderr, "bundles:", err)
		os.Exit(1)
	}
}

func run(out, data, only string) error {
	match, err := regexp.Compile(only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	in := &inputs{dir: data}
	all := stories(in)
	if len(in.failed) > 0 {
		return errors.Join(in.failed...)
	}
	if err := os.MkdirAll(filepath.Join(out, "all"), 0o755); err != nil {
		return err
	}
	total := 0
	var labels []capture.Label
	for _, s := range all {
		labels = append(labels, s.label())
		if !match.MatchString(s.name) {
			continue
		}
		b, err := s.pack(s.files)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		to := filepath.Join(out, s.name)
		if !slices.Contains(beside, s.name) {
			to = filepath.Join(out, "all", s.name)
			if b, err = archive.Loose(s.name, b); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
		if err := os.WriteFile(to, b, 0o644); err != nil {
			return err
		}
		total += len(b)
		fmt.Fprintf(os.Stderr, "%-36s %7d bytes, %4d files\n", s.name, len(b), len(s.files))
	}
	fmt.Fprintf(os.Stderr, "%d bytes in all\n", total)
	return capture.WriteLabels(filepath.Join(out, "all.yaml"), labels)
}

// label is the line of a bundle in the list of all.
func (s *story) label() capture.Label {
	cause, other := capture.Label{{"category", "none"}}, []capture.Label(nil)
	var details, words []string
	least := ""
	if s.verdict == "guilty" {
		categories, functions := split(s.category), split(s.culprit)
		for i := range functions {
			functions[i] += "*"
		}
		where := capture.Label{{"category", capture.OneOf(categories)}, {"function", capture.OneOf(functions)}}
		switch {
		case len(s.objects) == 0 && len(functions) == 0:
			cause = capture.Label{{"category", categories[0]}}
		case len(s.objects) == 0:
			cause = where
		default:
			cause = capture.Label{{"category", capture.OneOf(categories)}, {"object", capture.OneOf(s.objects)}}
			if len(functions) > 0 {
				other = []capture.Label{where}
			}
		}
		least, words = cmp.Or(s.severity, "medium"), split(s.rule)
		for _, text := range append(s.actors, s.field) {
			if text != "" && text != "none" {
				details = append(details, text)
			}
		}
	}
	return capture.Label{{"name", s.name}, {"kind", "bundle"}, {"root_cause", cause}, {"acceptable", other},
		{"min_severity", least}, {"words", words}, {"details", details}, {"why", s.why},
		{"about", capture.Label{{"layout", s.layout}}}}
}

// split are the parts of a text between bars, but for none.
func split(text string) (parts []string) {
	for _, part := range strings.Split(text, "|") {
		if part != "" && part != "none" {
			parts = append(parts, part)
		}
	}
	return parts
}

// inputs are what our other programs left: dumps and profiles.
type inputs struct {
	dir    string
	failed []error
}

func (in *inputs) read(path string) []byte {
	b, err := os.ReadFile(filepath.Join(in.dir, path))
	if err != nil {
		in.failed = append(in.failed, err)
	}
	return b
}

func packer(write func(w *bytes.Buffer, files []archive.File) error) func([]archive.File) ([]byte, error) {
	return func(files []archive.File) ([]byte, error) {
		var b bytes.Buffer
		err := write(&b, files)
		return b.Bytes(), err
	}
}

var (
	asZip = packer(func(w *bytes.Buffer, f []archive.File) error {
		return archive.Zip(w, len(f), func(i int) (archive.File, error) { return f[i], nil })
	})
	asTar = packer(func(w *bytes.Buffer, f []archive.File) error {
		return archive.Tar(w, len(f), func(i int) (archive.File, error) { return f[i], nil })
	})
	asTarGz = packer(func(w *bytes.Buffer, f []archive.File) error {
		return archive.TarGz(w, len(f), func(i int) (archive.File, error) { return f[i], nil })
	})
	asTarXz = packer(func(w *bytes.Buffer, f []archive.File) error {
		return archive.TarXz(w, len(f), func(i int) (archive.File, error) { return f[i], nil })
	})
)
