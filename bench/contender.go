package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/DataDog/gostackparse"
	"github.com/maruel/panicparse/v2/stack"

	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/stackparse"
)

// A Result is what a contender found in an input.
type Result struct {
	Goroutines int // that it found
	Stacks     int // distinct ones, summed over the dumps; 0 for a contender that does not collapse
}

// A Contender turns a log's bytes into goroutines.
type Contender struct {
	Name string
	// Framed reports that it removes log framing.
	Framed bool
	Run    func(text []byte) (Result, error)
}

// Contenders are triage, its parser alone, and its peers. Each peer runs in the way that costs it least: panicparse
// looks at no source files and names no arguments.
func Contenders() []Contender {
	return []Contender{
		{Name: "triage", Framed: true, Run: triage},
		{Name: "stackparse", Run: parserAlone},
		{Name: "gostackparse", Run: goStackParse},
		{Name: "panicparse-AnyPointer", Run: panicParse(stack.AnyPointer)},
		{Name: "panicparse-AnyValue", Run: panicParse(stack.AnyValue)},
	}
}

func (r *Result) add(d *stackparse.Dump) {
	r.Goroutines += d.Goroutines
	r.Stacks += len(d.Buckets)
}

// triage reads text like standard input: it detects and removes framing, parses lines and collapses stacks.
func triage(text []byte) (Result, error) {
	var r Result
	var parsers []*stackparse.Parser // by stream
	o := ingest.Options{Stdin: bytes.NewReader(text)}
	parser := func(stream int32) *stackparse.Parser {
		for int(stream) >= len(parsers) {
			parsers = append(parsers, stackparse.NewParser(r.add))
		}
		return parsers[stream]
	}
	h := ingest.Handler{
		Lines: func(batch []ingest.Line) error {
			for i := range batch {
				l := &batch[i]
				parser(l.Stream).Line(l.Text, l.Num, l.Stamp)
			}
			return nil
		},
		Goroutines: func(text []byte, at ingest.LineContext) (int, int64) {
			if at.Escaped {
				return parser(at.Stream).Escaped(text, at.Num, at.Stamp)
			}
			if at.Framing != nil {
				return parser(at.Stream).Framed(text, at.Num, at.Stamp, at.Framing)
			}
			return parser(at.Stream).Goroutine(text, at.Num, at.Stamp)
		},
	}
	var err error
	skips := ingest.Walk(context.Background(), []string{"-"}, o, func(s ingest.Source) {
		_, err = ingest.Read(context.Background(), s, h, o)
	})
	if len(skips) > 0 {
		return r, fmt.Errorf("reading standard input: %v", skips)
	}
	for _, p := range parsers {
		p.Close()
	}
	return r, err
}

// parserAlone parses the text with stackparse, without ingest before it.
func parserAlone(text []byte) (Result, error) {
	var r Result
	p := stackparse.NewParser(r.add)
	for num := int64(1); len(text) > 0; {
		if n, lines := p.Goroutine(text, num, nil); n > 0 {
			text, num = text[n:], num+lines
			continue
		}
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		p.Line(line, num, nil)
		text, num = rest, num+1
	}
	p.Close()
	return r, nil
}

func goStackParse(text []byte) (Result, error) {
	goroutines, _ := gostackparse.Parse(bytes.NewReader(text)) // the errors are goroutines that it lost
	return Result{Goroutines: len(goroutines)}, nil
}

// panicParse reads one dump after the other, as its command does, and aggregates each.
func panicParse(similar stack.Similarity) func([]byte) (Result, error) {
	return func(text []byte) (Result, error) {
		var r Result
		var in io.Reader = bytes.NewReader(text)
		for {
			s, rest, err := stack.ScanSnapshot(in, io.Discard, &stack.Opts{})
			if s != nil {
				r.Goroutines += len(s.Goroutines)
				r.Stacks += len(s.Aggregate(similar).Buckets)
			}
			switch {
			case errors.Is(err, io.EOF):
				return r, nil
			case err != nil && s == nil:
				return r, fmt.Errorf("panicparse: %w", err)
			}
			in = io.MultiReader(bytes.NewReader(rest), in)
		}
	}
}
