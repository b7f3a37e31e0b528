package stackparse

import (
	"bytes"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/maruel/panicparse/v2/stack"
)

// Args returns the argument words of the bucket's first goroutine, aligned with Frames; an element is empty for
// inlined calls and where the text is no list of words. Each call reads them again: few buckets need them.
func (b *Bucket) Args() []Args {
	args := make([]Args, len(b.Frames))
	var lists wordLists
	b.eachCall(func(i int, words, loc []byte) {
		lists.add(i, words)
		full, inside := bytes.Contains(loc, []byte(" fp=0x")), bytes.Contains(loc, []byte(" +0x"))
		args[i].AtEntry = full && !inside && string(words) != "..."
		args[i].Offset = offsetIn(loc)
	})
	lists.read(args)
	return args
}

// WordLists returns what is printed between the parentheses of each call of the bucket's first goroutine, aligned with
// Frames: unlike Args it shows which words are one value, as {0xc0000140a8, 0x16} is a string.
func (b *Bucket) WordLists() []string {
	lists := make([]string, len(b.Frames))
	b.eachCall(func(i int, words, _ []byte) { lists[i] = string(words) })
	return lists
}

// eachCall reads Text: the word list of each frame that is a call, and the line of its location, nil for none.
func (b *Bucket) eachCall(visit func(i int, words, loc []byte)) {
	lines := []byte(b.Text)
	for i := range b.Frames {
		if b.Frames[i].Elided != 0 {
			if first, _, _ := bytes.Cut(lines, []byte{'\n'}); isElided(first) {
				nextLine(&lines) // the runtime's gap has a line; ours, of a stack past maxHead, has none
			}
			continue
		}
		_, words, _ := callParts(nextLine(&lines))
		var loc []byte
		if len(lines) > 0 && lines[0] == '\t' {
			loc = nextLine(&lines)
		}
		visit(i, words, loc)
	}
}

// offsetIn reads the offset behind a frame's line: "+0x1d".
func offsetIn(loc []byte) uint32 {
	_, hex, _ := bytes.Cut(loc, []byte(" +0x"))
	hex, _, _ = bytes.Cut(hex, []byte{' '})
	n, err := strconv.ParseUint(string(hex), 16, 32)
	if err != nil {
		return 0
	}
	return uint32(n)
}

// wordLists collects the argument lists of a stack in the text of a goroutine that panicparse reads. Of the input it
// holds the lists alone: a function or file name that panicparse does not know would end the stack.
type wordLists struct {
	text  []byte
	calls []wordCall
}

type wordCall struct {
	frame int // index into Bucket.Frames
	at    int // where the call begins in wordLists.text
}

const (
	// maxRefused bounds the lists of a stack that look like words and that panicparse refuses all the same, such as
	// open braces and more than 64 bits: reading goes on behind each with a buffer of 16 KiB. The runtime prints none.
	maxRefused = 64

	// wordForm is a word with the braces around it: "0x1", "{0x2?", "_}", "{}", "...}" at the end of an aggregate.
	wordForm = `\{*(?:0x[[:xdigit:]]+\??|_|\}|\.\.\.\})\}*`
)

// wordList matches what runtime.printArgs prints: "0x1, {0x2?, _}, ...". panicparse takes decimal numbers too, and
// "..." in any place. Any other text, such as the parameters of a C++ function, has no words.
var wordList = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^` + wordForm + `(?:, ` + wordForm + `)*(?:, \.\.\.)?$`)
})

func (l *wordLists) add(frame int, words []byte) {
	if len(words) == 0 || !wordList().Match(words) {
		return
	}
	l.calls = append(l.calls, wordCall{frame, len(l.text)})
	l.text = append(append(append(l.text, "f("...), words...), ")\n\t??:1\n"...)
}

// read sets the words of args.
func (l *wordLists) read(args []Args) {
	for refused := 0; len(l.calls) > 0 && refused <= maxRefused; refused++ {
		text := io.MultiReader(strings.NewReader("goroutine 1 [x]:\n"), bytes.NewReader(l.text[l.calls[0].at:]))
		// The error is that of the list at which panicparse ends: the last call, without words.
		snapshot, _, _ := stack.ScanSnapshot(text, io.Discard, &stack.Opts{})
		if snapshot == nil {
			return
		}
		calls := snapshot.Goroutines[0].Stack.Calls
		for i := range calls {
			a := &args[l.calls[i].frame]
			a.Words, a.Cut = flatten(nil, &calls[i].Args), calls[i].Args.Elided
		}
		l.calls = l.calls[len(calls):]
	}
}

// flatten appends the words of a in order, the fields of aggregates in place.
func flatten(words []Arg, a *stack.Args) []Arg {
	for i := range a.Values {
		v := &a.Values[i]
		if !v.IsAggregate {
			words = append(words, Arg{Value: v.Value, Uncertain: v.IsInaccurate, Known: !v.IsOffsetTooLarge})
			continue
		}
		words = flatten(words, &v.Fields)
		if v.Fields.Elided {
			words = append(words, Arg{})
		}
	}
	return words
}
