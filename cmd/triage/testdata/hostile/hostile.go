// Package hostile makes inputs that try to break what reads them: bombs, lying sizes, endless lists, broken encodings,
// texts for a terminal, all that triage reads cut off anywhere.
package hostile

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
)

// An Input is one file.
type Input struct {
	// Name is the file's, with the extension that users would see; it is its own.
	Name string
	// Why is what is hostile about it.
	Why string
	// Write writes the file; nil where Size is all there is to it.
	Write func(w io.Writer) error
	// Size, where not 0, is how many bytes the file has, holes behind what Write wrote.
	Size int64
	// Saved means that it is a report of triage: written again, it has the members that it left out.
	Saved bool
}

// Make writes the file at path.
func (in Input) Make(path string) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("making a hostile input: %w", err)
	}
	defer func() {
		if cerr := f.Close(); err == nil && cerr != nil {
			err = fmt.Errorf("making a hostile input: %w", cerr)
		}
	}()
	if in.Write != nil {
		w := bufio.NewWriterSize(f, 1<<20)
		if err = in.Write(w); err == nil {
			err = w.Flush()
		}
		if err != nil {
			return fmt.Errorf("making %s: %w", in.Name, err)
		}
	}
	if in.Size > 0 {
		if err := f.Truncate(in.Size); err != nil {
			return fmt.Errorf("making %s: %w", in.Name, err)
		}
	}
	return nil
}

// Small returns at least 150 inputs that take a moment each, the same for the same seed.
func Small(seed uint64) []Input {
	r := rand.New(rand.NewPCG(seed, 14))
	return slices.Concat(smallDumps(), smallProfiles(), smallArchives(), smallTexts(), smallObjects(), smallRecords(), smallReports(),
		shown(), cutOff(), mutated(r))
}

// Big returns inputs that try to take memory, time or disk: up to 200 MB each, some of which become gigabytes.
func Big(seed uint64) []Input {
	r := rand.New(rand.NewPCG(seed, 15))
	return slices.Concat(bigDumps(), bigProfiles(), bigArchives(), bigObjects(), bigLogs(r), bigReports())
}

// text is an input of a constant text.
func text(name, why, content string) Input {
	return Input{Name: name, Why: why, Write: func(w io.Writer) error {
		_, err := io.WriteString(w, content)
		return err
	}}
}

// repeated is an input of a head, n pieces and a tail. It ends early where writing fails.
func repeated(name, why, head string, n int, piece func(w io.Writer, i int), tail string) Input {
	return Input{Name: name, Why: why, Write: func(to io.Writer) error {
		w := bufio.NewWriter(to) // its errors are sticky, and Flush returns them
		w.WriteString(head)
		for i := range n {
			piece(w, i)
		}
		w.WriteString(tail)
		return w.Flush()
	}}
}

// format is a piece with its number in each place of a format.
func format(f string) func(io.Writer, int) {
	return func(w io.Writer, i int) { fmt.Fprintf(w, f, i) }
}

// same is a piece without a number.
func same(s string) func(io.Writer, int) {
	return func(w io.Writer, _ int) { io.WriteString(w, s) }
}
