package pods

import (
	"cmp"
	"strings"

	"github.com/gotriage/triage/rules"
)

// A Key identifies a process: containers of pods, whatever their restarts; where no pod is known the process, else the
// dump.
type Key struct {
	Namespace, Pod, Container, process, input string
	line                                      int64
}

// KeyOf is what makes two PodCounts one.
func KeyOf(p rules.PodCount) Key {
	switch {
	case p.Pod != "":
		return Key{Namespace: p.Namespace, Pod: p.Pod, Container: p.Container}
	case p.Process != "":
		return Key{process: p.Process}
	}
	return Key{input: p.Input, line: p.Line}
}

func (k Key) Compare(l Key) int {
	return cmp.Or(
		strings.Compare(k.Namespace, l.Namespace), compareNames(k.Pod, l.Pod),
		strings.Compare(k.Container, l.Container),
		strings.Compare(k.process, l.process), strings.Compare(k.input, l.input), cmp.Compare(k.line, l.line),
	)
}

// compareNames puts web-2 before web-10: what is before the last dash, then numbers by their size, then other words.
func compareNames(a, b string) int {
	x, i := cutLast(a)
	y, j := cutLast(b)
	size := func(s string) int {
		if isIndex(s) {
			return len(s)
		}
		return maxIndex + 1
	}
	return cmp.Or(strings.Compare(x, y), cmp.Compare(size(i), size(j)), strings.Compare(i, j))
}

// Located is the file and line of a line of the dump's stream.
func Located(d *rules.DumpInput, line int64) (path string, at int64) {
	if d.Locate == nil {
		return d.Input, line
	}
	return d.Locate(line)
}
