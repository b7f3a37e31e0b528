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
	// Text makes it anew: all inputs together take a gigabyte.
	Text func() []byte
	// Goroutines is how many headers the text has, counted without any contender's help.
	Goroutines int
	// Framed reports that its lines are wrapped, which peers do not know.
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
	signal, whole := repeat(modern, size), repeat(debug2(modern), size)
	plain, many := repeat(founding, size), repeat(zoo, size)
	n := headers(plain())
	framed := func(name string, line func(out *bytes.Buffer, at time.Time, text []byte)) Input {
		return Input{
			Name: "founding, " + name, Goroutines: n, Framed: true,
			Text: func() []byte { return frame(plain(), line) },
		}
	}
	// Framed inputs contain the same dumps, and so are longer: rates are over the bytes that are read.
	return []Input{
		{Name: "founding", Text: plain, Goroutines: n},
		framed("CRI", criLine),
		framed("docker JSON", dockerLine),
		{Name: "controller, Go 1.26, debug=2", Text: whole, Goroutines: headers(whole())},
		{Name: "controller, Go 1.26, signal", Text: signal, Goroutines: headers(signal())},
		{Name: "zoo, Go 1.26, signal", Text: many, Goroutines: headers(many())},
	}, nil
}

// debug2 turns a signal's dump into what /debug/pprof/goroutine?debug=2 prints of the same program: no pointers of the
// runtime in headers and behind places, none of its frames and goroutines, nothing around the stacks. This is the form
// that gostackparse reads; in a signal's since Go 1.21 it finds no goroutine.
func debug2(text []byte) []byte {
	var out, stack bytes.Buffer
	var header []byte
	hidden := false
	for line := range bytes.Lines(text) {
		switch {
		case bytes.HasPrefix(line, []byte("goroutine ")) && bytes.HasSuffix(line, []byte("]:\n")):
			head, state, _ := bytes.Cut(line, []byte(" ["))
			number, _, _ := bytes.Cut(head[len("goroutine "):], []byte(" "))
			header = fmt.Appendf(nil, "goroutine %s [%s", number, state)
			stack.Reset()
		case header == nil:
		case len(bytes.TrimSpace(line)) == 0:
			if stack.Len() > 0 {
				fmt.Fprintf(&out, "%s%s\n", header, stack.Bytes())
			}
			header = nil
		case line[0] != '\t':
			if hidden = isHidden(line); !hidden {
				stack.Write(line)
			}
		case !hidden:
			place, _, _ := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte(" fp="))
			fmt.Fprintf(&stack, "%s\n", place)
		}
	}
	return out.Bytes()
}

// isHidden reports a frame or a creator of the runtime's own, which only a signal's dump has.
func isHidden(line []byte) bool {
	name, ok := bytes.CutPrefix(bytes.TrimPrefix(line, []byte("created by ")), []byte("runtime."))
	return ok && len(name) > 0 && (name[0] < 'A' || name[0] > 'Z')
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

// repeat returns what makes text of about size bytes of one that repeats.
func repeat(text []byte, size int) func() []byte {
	if !bytes.HasSuffix(text, []byte("\n")) {
		text = append(text[:len(text):len(text)], '\n')
	}
	return func() []byte { return bytes.Repeat(text, max(1, (size+len(text)/2)/len(text))) }
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
