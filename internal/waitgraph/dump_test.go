package waitgraph

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// parse reads text as the lines of one stream.
func parse(text []byte) []*stackparse.Dump {
	var dumps []*stackparse.Dump
	p := stackparse.NewParser(func(d *stackparse.Dump) { dumps = append(dumps, d) })
	num := int64(0)
	for line := range bytes.Lines(text) {
		num++
		p.Line(bytes.TrimRight(line, "\r\n"), num, nil)
	}
	p.Close()
	return dumps
}

// dumpOf makes a dump of short notes, one line a goroutine:
//
//	7 lock c018 3m: m.(*store).get(c000) a.go:12; main.serve() b.go:5 < main.main 1
//
// is goroutine 7, which waits for 3 minutes for the Mutex at 0xc018 in a method of the object at 0xc000, and was
// started by goroutine 1 in main.main. Words are hexadecimal; "?" behind one is printed. Without an address (lock -)
// the dump does not contain it, as debug=2's for RWMutexes. "woken" before the primitive: it was woken and has not
// run yet.
func dumpOf(t testing.TB, notes string) *stackparse.Dump {
	t.Helper()
	dumps := parse([]byte(dumpText(t, notes)))
	if len(dumps) != 1 || dumps[0].UnparsedLines > 0 {
		t.Fatalf("%d dumps of:\n%s", len(dumps), notes)
	}
	return dumps[0]
}

func dumpText(t testing.TB, notes string) string {
	t.Helper()
	var out strings.Builder
	for line := range strings.Lines(notes) {
		if line = strings.TrimSpace(line); line != "" {
			goroutine(t, &out, line)
		}
	}
	return out.String()
}

func goroutine(t testing.TB, out *strings.Builder, note string) {
	t.Helper()
	head, stack, ok := strings.Cut(note, ": ")
	words := strings.Fields(head)
	if !ok || len(words) < 2 {
		t.Fatalf("no goroutine: %s", note)
	}
	id, woken := words[0], words[1] == "woken"
	if words = words[1:]; woken {
		words = words[1:]
	}
	minutes := ""
	if last := words[len(words)-1]; strings.HasSuffix(last, "m") && len(words) > 1 {
		minutes = ", " + strings.TrimSuffix(last, "m") + " minutes"
		words = words[:len(words)-1]
	}
	addr := uint64(0)
	if len(words) > 1 && words[1] != "-" {
		var err error
		if addr, err = strconv.ParseUint(words[1], 16, 64); err != nil {
			t.Fatalf("%s: %v", note, err)
		}
	}
	state, frames := primitive(words[0], addr)
	if state == "" {
		t.Fatalf("no primitive: %s", note)
	}
	if woken {
		state = "runnable"
	}
	fmt.Fprintf(out, "goroutine %s [%s%s]:\n", id, state, minutes)
	for _, f := range frames {
		fmt.Fprintf(out, "%s\n\truntime/x.go:1 +0x1\n", f)
	}
	stack, creator, created := strings.Cut(stack, " < ")
	for call := range strings.SplitSeq(stack, "; ") {
		fn, place, _ := strings.Cut(call, " ")
		fmt.Fprintf(out, "%s\n\t%s +0x1\n", printed(fn), place)
	}
	if created {
		fn, parent, _ := strings.Cut(creator, " ")
		if parent != "" {
			parent = " in goroutine " + parent
		}
		fmt.Fprintf(out, "created by %s%s\n\tmain.go:99 +0x1\n", fn, parent)
	}
	out.WriteString("\n")
}

// printed puts 0x before the words of a call.
func printed(call string) string {
	at := strings.LastIndexByte(call, '(')
	if at < 0 || call[at:] == "()" || call[at:] == "(...)" {
		return call
	}
	words := strings.Split(strings.TrimSuffix(call[at+1:], ")"), ",")
	for i := range words {
		words[i] = "0x" + words[i]
	}
	return call[:at+1] + strings.Join(words, ", ") + ")"
}

// primitive prints a wait as a signal's dump of Go 1.24 and later does, without gopark. An address of 0 is printed as a
// word that may be stale.
func primitive(name string, addr uint64) (state string, frames []string) {
	word := func(offset uint64) string {
		if addr == 0 {
			return "0x0?"
		}
		return fmt.Sprintf("%#x", addr+offset)
	}
	lock := []string{"internal/sync.runtime_SemacquireMutex(0x0?)", "internal/sync.(*Mutex).lockSlow(" + word(0) + ")", "internal/sync.(*Mutex).Lock(...)", "sync.(*Mutex).Lock(...)"}
	switch name {
	case "lock":
		return "sync.Mutex.Lock", lock
	case "once":
		return "sync.Mutex.Lock", append(lock, "sync.(*Once).doSlow("+word(0)+")", "sync.(*Once).Do(...)")
	case "queued":
		return "sync.Mutex.Lock", append(lock, "sync.(*RWMutex).Lock("+word(0)+")")
	case "pending":
		return "sync.RWMutex.Lock", []string{"runtime.semacquire1(" + word(8) + ")", "sync.runtime_SemacquireRWMutex(0x0?)", "sync.(*RWMutex).Lock(0x0?)"}
	case "rlock":
		return "sync.RWMutex.RLock", []string{"runtime.semacquire1(" + word(12) + ")", "sync.runtime_SemacquireRWMutexR(0x0?)", "sync.(*RWMutex).RLock(...)"}
	case "send":
		return "chan send", []string{"runtime.chansend(" + word(0) + ")", "runtime.chansend1(0x0?)"}
	case "receive":
		return "chan receive", []string{"runtime.chanrecv(" + word(0) + ")", "runtime.chanrecv1(0x0?)"}
	case "select":
		return "select", []string{"runtime.selectgo(0x0?)"}
	case "waitgroup":
		return "sync.WaitGroup.Wait", []string{"runtime.semacquire1(" + word(0) + ")", "sync.runtime_SemacquireWaitGroup(0x0?)", "sync.(*WaitGroup).Wait(0x0?)"}
	case "cond":
		return "sync.Cond.Wait", []string{"sync.runtime_notifyListWait(" + word(0) + ", 0x0)", "sync.(*Cond).Wait(0x0?)"}
	case "semaphore":
		return "semacquire", []string{"runtime.semacquire1(" + word(0) + ")", "internal/poll.runtime_Semacquire(0x0?)"}
	case "io":
		return "IO wait", []string{"internal/poll.runtime_pollWait(" + word(0) + ", 0x72)", "internal/poll.(*pollDesc).wait(0x0?)"}
	case "sleep":
		return "sleep", []string{"time.Sleep(0x1)"}
	case "syscall":
		return "syscall", []string{"syscall.Syscall(0x0, 0x1)"}
	case "nilchan":
		return "chan receive (nil chan)", []string{"runtime.chanrecv(0x0)"}
	case "nocases":
		return "select (no cases)", []string{"runtime.block()"}
	case "run":
		return "runnable", nil
	case "running":
		return "running", nil
	}
	return "", nil
}

// repeat writes notes n times: N and M become ids that none has had, @ and & addresses of objects.
func repeat(n int, notes string) string {
	var out strings.Builder
	for i := range n {
		out.WriteString(strings.NewReplacer("N", strconv.Itoa(1000+2*i), "M", strconv.Itoa(1001+2*i),
			"@", fmt.Sprintf("a%04x", i), "&", fmt.Sprintf("b%04x", i)).Replace(notes) + "\n")
	}
	return out.String()
}

// mayWait reports which of d's buckets may wait for ever: those with one of the functions.
func mayWait(d *stackparse.Dump, idle []string) func(int) bool {
	return func(i int) bool {
		return slices.ContainsFunc(d.Buckets[i].Frames, func(f stackparse.Frame) bool { return slices.Contains(idle, f.Func) })
	}
}

// build is Build over notes; idle lists the functions whose goroutines may wait for ever.
func build(t testing.TB, notes string, idle ...string) (*stackparse.Dump, *Graph) {
	t.Helper()
	d := dumpOf(t, notes)
	return d, new(Memory).Build(d, frame.Program{}, mayWait(d, idle))
}

func solverOf(d *stackparse.Dump, idle ...string) *solver {
	return new(Memory).solver(d, frame.Program{}, mayWait(d, idle))
}

func idOf(d *stackparse.Dump, r Ref) string { return strconv.FormatUint(GoroutineOf(d, r).ID, 10) }

func strengthName(s Strength) string {
	return map[Strength]string{StrengthFile: "file", StrengthFamily: "family", StrengthType: "type", StrengthObject: "object", StrengthSure: "sure"}[s]
}

// blockageText prints a blockage: kind, waiters (and instances), flags, and per link the object, a waiter and the
// holder with its strength.
//
//	held in channel 2: mutex c018 7<-9/sure
func blockageText(d *stackparse.Dump, b *Blockage) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s %d", b.Kind, b.Waiters)
	if b.Instances != 1 {
		fmt.Fprintf(&out, " x%d", b.Instances)
	}
	if b.Minutes > 0 {
		fmt.Fprintf(&out, " %dm", b.Minutes)
	}
	for _, flag := range []struct {
		set  bool
		name string
	}{{b.Moves, "moves"}, {b.Busy, "busy"}, {b.Served, "served"}} {
		if flag.set {
			out.WriteString(" " + flag.name)
		}
	}
	out.WriteString(":")
	for _, l := range b.Links {
		fmt.Fprintf(&out, " %s %x %s<-", l.Object.Kind, l.Object.Addr, idOf(d, l.Waiter))
		switch {
		case l.Holder.Strength == 0:
			out.WriteString("nobody")
		case l.Self && l.Holder.Ref == l.Waiter:
			fmt.Fprintf(&out, "itself/%s", strengthName(l.Holder.Strength))
		case l.Self:
			fmt.Fprintf(&out, "%s/%s, a waiter", idOf(d, l.Holder.Ref), strengthName(l.Holder.Strength))
		default:
			fmt.Fprintf(&out, "%s/%s", idOf(d, l.Holder.Ref), strengthName(l.Holder.Strength))
		}
	}
	if b.Sleeper.Strength > 0 {
		out.WriteString(", or " + idOf(d, b.Sleeper.Ref) + " asleep")
	}
	return out.String()
}

func blockagesText(d *stackparse.Dump, g *Graph) []string {
	all := []string{}
	for i := range g.Blockages {
		all = append(all, blockageText(d, &g.Blockages[i]))
	}
	return all
}

// objectsText prints objects: kind, address, waiters by mode, and those woken.
func objectsText(g *Graph) []string {
	all := []string{}
	for _, o := range g.Objects {
		text := fmt.Sprintf("%s %x", o.Kind, o.Addr)
		for _, w := range o.Waiters {
			text += fmt.Sprintf(" %s*%d", w.Mode, w.Count)
		}
		if o.Woken > 0 {
			text += fmt.Sprintf(" woken*%d", o.Woken)
		}
		if o.Minutes > 0 {
			text += fmt.Sprintf(" %dm", o.Minutes)
		}
		all = append(all, text)
	}
	return all
}

// orphansText prints orphans: the first goroutine's id, mode, kind and count, then those facts that are not zero.
func orphansText(d *stackparse.Dump, g *Graph) []string {
	all := []string{}
	for _, o := range g.Orphans {
		text := fmt.Sprintf("%s %s %s %d", idOf(d, Ref{o.Bucket, 0}), o.Mode, o.Kind, o.Count)
		if o.Select {
			text += " select"
		}
		for _, n := range []struct {
			name  string
			count int
		}{{"objects", o.Objects}, {"most", o.Most}, {"parents", o.Parents}, {"gone", o.Gone}, {"returned", o.Returned}, {"served", o.Served}, {"minutes", int(o.Minutes)}} {
			if n.count > 0 {
				text += fmt.Sprintf(" %s=%d", n.name, n.count)
			}
		}
		if o.Explained {
			text += " explained"
		}
		all = append(all, text)
	}
	return all
}

// neverIdle says of no bucket that its goroutines may wait for ever.
func neverIdle(int) bool { return false }
