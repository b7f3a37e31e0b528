package logs

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// An Input is lines to mine.
type Input struct {
	Name   string
	Lines  [][]byte
	Labels []int // the statement that logged each line; nil if unknown
	Bytes  int
}

// ErrNoCorpus reports that there are no real logs: TRIAGE_CORPUS is not set, or has no bundle.
var ErrNoCorpus = errors.New("TRIAGE_CORPUS has no support bundle")

// Sample reads the labelled lines that logpattern's own test uses (testdata/gen/loglines). root is the repository's.
func Sample(root string) (Input, error) {
	in := Input{Name: "sample"}
	data, err := os.ReadFile(filepath.Join(root, "internal", "logpattern", "testdata", "labelled.tsv"))
	if err != nil {
		return in, fmt.Errorf("reading the sample: %w", err)
	}
	for line := range bytes.Lines(data) {
		label, text, _ := bytes.Cut(bytes.TrimRight(line, "\n"), []byte("\t"))
		n, err := strconv.Atoi(string(label))
		if err != nil {
			return in, fmt.Errorf("reading the sample's labels: %w", err)
		}
		in.add(text)
		in.Labels = append(in.Labels, n)
	}
	return in, nil
}

// Harvester reads the container logs and the node's journals of a real support bundle, without the time that the
// collector put before each line of a container.
func Harvester() (Input, error) {
	in := Input{Name: "harvester"}
	corpus := os.Getenv("TRIAGE_CORPUS")
	names, err := filepath.Glob(filepath.Join(corpus, "bundles", "supportbundle_*.zip"))
	if corpus == "" || err != nil || len(names) == 0 {
		return in, ErrNoCorpus
	}
	data, err := os.ReadFile(names[0])
	if err != nil {
		return in, fmt.Errorf("reading the bundle: %w", err)
	}
	return in, in.unzip(data)
}

func (in *Input) add(line []byte) {
	in.Lines = append(in.Lines, line)
	in.Bytes += len(line) + 1
}

func (in *Input) unzip(data []byte) error {
	zr, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return fmt.Errorf("reading the bundle: %w", err)
	}
	for _, f := range zr.File {
		nested := strings.HasSuffix(f.Name, ".zip")
		if !nested && !strings.HasSuffix(f.Name, ".log") {
			continue
		}
		rc, err := f.Open()
		if err != nil {
			return fmt.Errorf("reading %s: %w", f.Name, err)
		}
		inside, err := io.ReadAll(rc)
		_ = rc.Close()
		if err != nil {
			return fmt.Errorf("reading %s: %w", f.Name, err)
		}
		if nested {
			if err := in.unzip(inside); err != nil {
				return err
			}
			continue
		}
		for line := range bytes.Lines(inside) {
			stamp, rest, ok := bytes.Cut(line, []byte(" "))
			if ok && bytes.HasSuffix(stamp, []byte("Z")) && len(stamp) > len("2026-03-04T10:00:00Z") {
				line = rest
			}
			in.add(bytes.TrimRight(line, "\n"))
		}
	}
	return nil
}
