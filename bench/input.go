package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gotriage/triage/internal/ingest"
)

// Size is about how many bytes an input has: the founding dump thirty times.
const Size = 95 << 20

// An Input is the text of a log, the same for every contender.
type Input struct {
	Name string
	Text []byte
	// Goroutines is how many headers the text has, counted without any contender's help.
	Goroutines int
	// Framed reports that each line has a container runtime's prefix, which peers do not know.
	Framed bool
}

// Inputs makes the inputs from the fixtures below root, the repository's, and from the collection of real dumps that
// the environment variable TRIAGE_CORPUS names. Each has about size bytes before it is framed.
func Inputs(root string, size int) ([]Input, error) {
	modern, err := modernFounding(root)
	if err != nil {
		return nil, err
	}
	founding := modern // for those without the real one
	if corpus := os.Getenv("TRIAGE_CORPUS"); corpus != "" {
		founding, err = os.ReadFile(filepath.Join(corpus, "dumps", "harvester-2558.txt"))
		if err != nil {
			return nil, fmt.Errorf("reading the founding dump: %w", err)
		}
	}
	zoo, err := os.ReadFile(filepath.Join(root, "testdata", "dumps", "go1.26", "zoo-signal.txt"))
	if err != nil {
		return nil, fmt.Errorf("reading the Go 1.26 dump: %w", err)
	}
	plain := repeat(founding, size)
	n := headers(plain)
	modern, zoo = repeat(modern, size), repeat(zoo, size)
	// Framed inputs contain the same dumps, and so are longer: rates are over the bytes that are read.
	return []Input{
		{Name: "founding", Text: plain, Goroutines: n},
		{Name: "founding, CRI", Text: frame(plain, criLine), Goroutines: n, Framed: true},
		{Name: "founding, docker JSON", Text: frame(plain, dockerLine), Goroutines: n, Framed: true},
		{Name: "controller, Go 1.26", Text: modern, Goroutines: headers(modern)},
		{Name: "zoo, Go 1.26", Text: zoo, Goroutines: headers(zoo)},
	}, nil
}

// modernFounding returns the plain text of the fixture that is made like the founding case: a controller of Go 1.26,
// dumped by a signal (fp=, sp=, pc= and the runtime's own frames).
func modernFounding(root string) ([]byte, error) {
	pattern := filepath.Join(root, "testdata", "pods", "*", "*", "1.log")
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("looking for the founding fixture: no file matches %s (%w)",
			pattern, errors.Join(err, os.ErrNotExist))
	}
	return unframed(paths[0])
}

// unframed returns a log's lines without their framing.
func unframed(path string) ([]byte, error) {
	var out bytes.Buffer
	var err error
	ingest.Walk(context.Background(), []string{path}, ingest.Options{}, func(s ingest.Source) {
		_, err = ingest.Read(context.Background(), s, ingest.Handler{Lines: func(batch []ingest.Line) error {
			for _, l := range batch {
				out.Write(l.Text)
				out.WriteByte('\n')
			}
			return nil
		}}, ingest.Options{})
	})
	return out.Bytes(), err
}

func repeat(text []byte, size int) []byte {
	if !bytes.HasSuffix(text, []byte("\n")) {
		text = append(text[:len(text):len(text)], '\n')
	}
	return bytes.Repeat(text, max(1, (size+len(text)/2)/len(text)))
}

// headers counts the lines that begin and end like a goroutine's header.
func headers(text []byte) int {
	n := 0
	for line := range bytes.Lines(text) {
		line = bytes.TrimRight(line, "\r\n")
		if bytes.HasPrefix(line, []byte("goroutine ")) && bytes.HasSuffix(line, []byte("]:")) {
			n++
		}
	}
	return n
}

// frame adds a framing to every line of text. Lines are some microseconds apart, as the runtime writes them.
func frame(text []byte, line func(out *bytes.Buffer, at time.Time, text []byte)) []byte {
	var out bytes.Buffer
	at := time.Date(2022, 10, 19, 15, 34, 0, 0, time.UTC)
	for l := range bytes.Lines(text) {
		line(&out, at, l)
		at = at.Add(2113 * time.Nanosecond)
	}
	return out.Bytes()
}

func criLine(out *bytes.Buffer, at time.Time, text []byte) {
	out.WriteString(at.Format(time.RFC3339Nano))
	out.WriteString(" stderr F ")
	out.Write(text)
}

func dockerLine(out *bytes.Buffer, at time.Time, text []byte) {
	quoted, err := json.Marshal(string(text))
	if err != nil {
		panic(err) // a string always has a JSON form
	}
	fmt.Fprintf(out, `{"log":%s,"stream":"stderr","time":"%s"}`+"\n", quoted, at.Format(time.RFC3339Nano))
}
