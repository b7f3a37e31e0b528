// Command big writes a log of about a gigabyte to standard output: the founding dump repeated with fresh goroutine ids,
// as one process with 870,000 goroutines would have printed it.
//
//	cd bench && go run ./big > BIG
package main

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/gotriage/triage/bench"
)

func main() {
	goroutines := flag.Int("goroutines", 870_000, "how many goroutines to write, rounded to whole dumps")
	apart := flag.Bool("apart", false, "keep the dumps apart, each with its cause, instead of making one of them")
	flag.Parse()
	if err := run(os.Stdout, *goroutines, *apart); err != nil {
		fmt.Fprintln(os.Stderr, "big:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, goroutines int, apart bool) error {
	inputs, err := bench.Inputs("..", 1)
	if err != nil {
		return err
	}
	d := cut(inputs[0].Text())
	out := bufio.NewWriterSize(w, 1<<20)
	copies := max(1, goroutines/inputs[0].Goroutines)
	for i := range copies {
		if i == 0 || apart {
			out.Write(d.head)
		}
		d.write(out, uint64(i)*d.step)
		if i == copies-1 || apart {
			out.Write(d.tail)
		}
	}
	return out.Flush()
}

// A dump is a dump's text in the pieces that copies are made of.
type dump struct {
	head   []byte // the text before the first goroutine
	pieces []piece
	tail   []byte // the registers behind the last goroutine
	step   uint64 // from an id in one copy to the same in the next: more than the highest id
}

// A piece is an id and the text from behind it to the next id.
type piece struct {
	id   uint64
	rest []byte
}

var header = []byte("goroutine ")

// cut splits a dump's text at its goroutines' ids. The ids of creators stay as they are: none is a new stack.
func cut(text []byte) dump {
	var d dump
	d.head = text
	if i := start(text); i >= 0 {
		d.head, text = text[:i], text[i:]
	}
	for bytes.HasPrefix(text, header) {
		text = text[len(header):]
		n := 0
		for n < len(text) && '0' <= text[n] && text[n] <= '9' {
			n++
		}
		id, _ := strconv.ParseUint(string(text[:n]), 10, 64)
		text = text[n:]
		end := start(text)
		if last := end < 0; last {
			end = len(text)
			if i := bytes.Index(text, []byte("\n\n")); i >= 0 {
				end = i + 2
			}
			d.tail = text[end:]
		}
		d.pieces = append(d.pieces, piece{id, text[:end]})
		d.step = max(d.step, id+1)
		text = text[end:]
	}
	return d
}

// start returns where the next header begins in text, -1 if there is none.
func start(text []byte) int {
	if bytes.HasPrefix(text, header) {
		return 0
	}
	if i := bytes.Index(text, append([]byte("\n"), header...)); i >= 0 {
		return i + 1
	}
	return -1
}

func (d *dump) write(out *bufio.Writer, add uint64) {
	var digits [20]byte
	for _, p := range d.pieces {
		out.Write(header)
		id := p.id
		if id != 0 {
			id += add
		}
		out.Write(strconv.AppendUint(digits[:0], id, 10))
		out.Write(p.rest)
	}
}
