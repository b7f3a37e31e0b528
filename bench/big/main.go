// Command big writes a log of about a gigabyte to standard output: the founding dump repeated with fresh goroutine ids,
// as one process with 870,000 goroutines would have printed it.
//
//	cd bench && go run ./big > BIG
package main

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"

	"github.com/gotriage/triage/bench"
)

func main() {
	goroutines := flag.Int("goroutines", 870_000, "how many goroutines to write, rounded to whole dumps")
	apart := flag.Bool("apart", false, "keep the dumps apart, each with its cause, instead of making one of them")
	flag.Parse()
	inputs, err := bench.Inputs("..", 1)
	if err == nil {
		err = repeat(os.Stdout, inputs[0].Text(), max(1, *goroutines/inputs[0].Goroutines), *apart)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "big:", err)
		os.Exit(1)
	}
}

var header = regexp.MustCompile(`\ngoroutine \d+`)

// repeat writes copies of a dump's text, as one dump or apart, with fresh ids from the second one on. The ids of
// creators stay as they are: none is a new stack. So does goroutine 0, of which every thread has one.
func repeat(w io.Writer, text []byte, copies int, apart bool) error {
	at := header.FindAllIndex(text, -1)
	if len(at) == 0 {
		return errors.New("the founding dump has no goroutine")
	}
	first, last := at[0][0], at[len(at)-1][1]
	if i := bytes.Index(text[last:], []byte("\n\n")); i >= 0 {
		last += i + 1
	} else {
		last = len(text)
	}
	head, goroutines, registers := text[:first], text[first:last], text[last:]
	idOf := func(header []byte) uint64 {
		id, _ := strconv.ParseUint(string(header[len("\ngoroutine "):]), 10, 64) // digits, as the pattern says
		return id
	}
	step := uint64(0) // from an id in one copy to the same in the next: more than the highest id
	for _, m := range at {
		step = max(step, idOf(text[m[0]:m[1]])+1)
	}
	out := bufio.NewWriterSize(w, 1<<20)
	for i := range uint64(copies) {
		if i == 0 || apart {
			out.Write(head)
		}
		out.Write(header.ReplaceAllFunc(goroutines, func(header []byte) []byte {
			id := idOf(header)
			if id == 0 {
				return header
			}
			return fmt.Appendf(nil, "\ngoroutine %d", id+i*step)
		}))
		if i == uint64(copies)-1 || apart {
			out.Write(registers)
		}
	}
	return out.Flush()
}
