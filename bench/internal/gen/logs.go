package gen

import (
	"fmt"
	"io"
	"time"
)

// A Log is a controller's log with goroutine dumps in it.
type Log struct {
	// Every is how many bytes of lines come before each dump.
	Every int64
	// Goroutines is how many each dump has, of Stacks stacks.
	Goroutines, Stacks int
}

// Sparse and Dense are a log of which a hundredth is dumps, and one that is little else.
var (
	Sparse = Log{Every: 9_000_000, Goroutines: 100, Stacks: 50}
	Dense  = Log{Every: 3_000, Goroutines: 1000, Stacks: 50}
)

// Write is the log with about size bytes: it ends with a line or a dump.
func (l Log) Write(size int64) Input {
	texts := lineTexts()
	return func(w io.Writer) error {
		b := newBuffer(w)
		lines := newLines(texts)
		program := Program{Stacks: l.Stacks}
		for b.err == nil && b.n < size {
			for until := min(size, b.n+l.Every); b.n < until && b.err == nil; {
				from := len(b.b)
				b.b = lines.append(b.b)
				b.done(from)
			}
			if b.n < size {
				program.dump(b, l.Goroutines)
			}
		}
		return b.flush()
	}
}

// lines are log lines of some sixty forms whose values differ, one each ten milliseconds or so.
type lines struct {
	texts  [][]byte // behind the stamp
	i      uint64
	at     uint64 // microseconds since start
	second uint64 // the one that stamp shows
	stamp  []byte
}

const stampForm = "2006-01-02T15:04:05.000000Z"

func newLines(texts [][]byte) *lines {
	return &lines{texts: texts, stamp: []byte(start.Format(stampForm))}
}

func lineTexts() (texts [][]byte) {
	verbs := []string{"Reconciled", "Updated status of", "Enqueued", "Listed", "Synced", "Skipped", "Resolved",
		"Cached"}
	kinds := []string{"Volume", "Release", "Route", "Claim", "Snapshot", "Backup", "Node", "Policy"}
	for i := range uint64(4096) {
		v := mix(i)
		texts = append(texts, fmt.Appendf(nil, " INFO\tcontroller.%s\t%s %s\t{\"namespace\": \"team-%d\", "+
			"\"name\": \"%s-%x\", \"reconcileID\": \"%016x\", \"took\": \"%d.%dms\"}\n", kinds[v%8], verbs[v>>8%8],
			kinds[v%8], v>>16%40, kinds[v>>24%8], v>>40, mix(v), v>>32%30, v>>36%10))
	}
	return texts
}

// append appends the next line.
func (l *lines) append(out []byte) []byte {
	l.at += 4000 + mix(l.i)%12_000
	if s := l.at / 1e6; s != l.second {
		l.second = s
		l.stamp = start.Add(time.Duration(s)*time.Second).AppendFormat(l.stamp[:0], stampForm)
	}
	digits(l.stamp[len(l.stamp)-7:len(l.stamp)-1], l.at%1e6)
	text := l.texts[l.i%uint64(len(l.texts))]
	l.i++
	return append(append(out, l.stamp...), text...)
}
