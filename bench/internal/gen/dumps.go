package gen

import (
	"bufio"
	"bytes"
	"fmt"
	"time"
)

// Dump is a dump of that many goroutines in so many distinct stacks, as a signal makes the runtime print it. Each stack
// has a function that no other has, and ten to fourteen frames.
func Dump(goroutines, stacks int) Input {
	return func(w *bufio.Writer) error {
		fmt.Fprint(w, "SIGABRT: abort\nPC=0x46ac21 m=0 sigcode=0\n\n")
		for i := range uint64(goroutines) {
			goroutine(w, i, i%uint64(stacks))
		}
		_, err := fmt.Fprint(w, "rax    0xca\nrip    0x46ac21\nrflags 0x286\n")
		return err
	}
}

// text is what an input writes.
func text(in Input) []byte {
	var b bytes.Buffer
	w := bufio.NewWriter(&b)
	_ = in(w) // a bytes.Buffer takes everything
	_ = w.Flush()
	return b.Bytes()
}

// The ways in which goroutines wait: the state of the header and the frames above the program's own.
var waits = [...][2]string{
	{"select", ""},
	{"chan receive", ""},
	{"IO wait", "internal/poll.runtime_pollWait(0x7f2b3c0e18f8, 0x72)\n" +
		"\t/usr/local/go/src/runtime/netpoll.go:305 +0x89\n" +
		"internal/poll.(*pollDesc).wait(0xc000312200?, 0xc000a34000?, 0x0)\n" +
		"\t/usr/local/go/src/internal/poll/fd_poll_runtime.go:84 +0x32\n" +
		"internal/poll.(*FD).Read(0xc000312200, {0xc000a34000, 0x1000, 0x1000})\n" +
		"\t/usr/local/go/src/internal/poll/fd_unix.go:167 +0x25a\n" +
		"net.(*conn).Read(0xc00011c0a8, {0xc000a34000?, 0x0?, 0x0?})\n\t/usr/local/go/src/net/net.go:183 +0x45\n"},
	{"sleep", "time.Sleep(0x2540be400)\n\t/usr/local/go/src/runtime/time.go:195 +0x135\n"},
	{"sync.Cond.Wait", "sync.runtime_notifyListWait(0xc0004be3d0, 0x1)\n" +
		"\t/usr/local/go/src/runtime/sema.go:517 +0x14c\n" +
		"sync.(*Cond).Wait(0x0?)\n\t/usr/local/go/src/sync/cond.go:70 +0x8c\n"},
}

// levels is how many calls of the program each stack has.
const levels = 8

// goroutine writes the goroutine of number i. Its arguments are its own.
func goroutine(w *bufio.Writer, i, stack uint64) {
	hash, minutes := mix(stack), ""
	if n := mix(i) % 60; n > 1 {
		minutes = fmt.Sprintf(", %d minutes", n)
	}
	wait := waits[hash%uint64(len(waits))]
	fmt.Fprintf(w, "goroutine %d [%s%s]:\n%s", i+1, wait[0], minutes, wait[1])
	for level := range uint64(levels) {
		call := hash >> (20 + 5*level) % 32
		function := fmt.Sprintf("step%d", call)
		if level == hash>>8%3 {
			function += fmt.Sprintf("Of%d", stack)
		}
		fmt.Fprintf(w, "example.com/fleet/store%d.(*Index%d).%s(0xc00%07d, {0x1b2e9f8, 0x4})\n"+
			"\t/src/fleet/store%[1]d/index%[2]d.go:%[5]d +0x1d7\n", level, call%8, function, i*64%1e7, 40+11*call)
	}
	fmt.Fprint(w, "created by example.com/fleet/manager.(*Group).Start in goroutine 1\n"+
		"\t/src/fleet/manager/group.go:61 +0xa5\n\n")
}

// Log is a controller's log of about size bytes, with a dump of so many goroutines behind each every bytes of lines. It
// ends with a line or a dump.
func Log(size, every int64, goroutines int) Input {
	texts, dump := lineTexts(), text(Dump(goroutines, 50))
	return func(w *bufio.Writer) error {
		next := lines(texts, 0, start)
		for n := int64(0); n < size; {
			for until := min(size, n+every); n < until; {
				line := next()
				if _, err := w.Write(line); err != nil {
					return err
				}
				n += int64(len(line))
			}
			if n < size {
				n += int64(len(dump))
				w.Write(dump) // the next line fails where this does
			}
		}
		return nil
	}
}

// PodLines returns a function that makes the lines of a pod's log. Each pod begins in its own minute, with its own
// lines.
func PodLines() func(pod int) (next func() []byte) {
	texts := lineTexts()
	return func(pod int) func() []byte { return podLines(texts, mix(uint64(pod))) }
}

func podLines(texts [][]byte, v uint64) (next func() []byte) {
	return lines(texts, v>>16, start.Add(time.Duration(v>>32%3600)*time.Second))
}

// lines returns a function that makes the next log line at each call: one of about sixty forms, ten milliseconds after
// the line before.
func lines(texts [][]byte, i uint64, at time.Time) (next func() []byte) {
	var line []byte
	return func() []byte {
		at = at.Add(time.Duration(4000+mix(i)%12_000) * time.Microsecond)
		line = append(at.AppendFormat(line[:0], "2006-01-02T15:04:05.000000Z"), texts[i%uint64(len(texts))]...)
		i++
		return line
	}
}

// lineTexts are the lines behind their times.
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
