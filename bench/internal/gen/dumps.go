package gen

import (
	"io"
	"strconv"
)

// A Program is what a dump's stacks are made of.
type Program struct {
	// Stacks is how many there are, each of ten to fourteen frames.
	Stacks int
	// Own gives each stack a function that no other has. Otherwise all are chains of the same 256 functions.
	Own bool
}

// Dump is a dump of the program with that many goroutines, as a signal makes the runtime print it.
func (p Program) Dump(goroutines int) Input {
	return func(w io.Writer) error {
		b := newBuffer(w)
		p.dump(b, goroutines)
		return b.flush()
	}
}

func (p Program) dump(b *buffer, goroutines int) {
	from := len(b.b)
	b.b = append(b.b, "SIGABRT: abort\nPC=0x46ac21 m=0 sigcode=0\n\n"...)
	for i := range goroutines {
		b.b = p.goroutine(b.b, uint64(i))
		if !b.done(from) {
			return
		}
		from = len(b.b)
	}
	b.b = append(b.b, "rax    0xca\nrip    0x46ac21\nrflags 0x286\n"...)
	b.done(from)
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

const (
	levels = 8 // calls of the program in each stack
	choice = 5 // bits of the number that chooses a level's function
)

// goroutine appends the goroutine of number i, whose stack is i modulo p.Stacks.
func (p Program) goroutine(out []byte, i uint64) []byte {
	stack := i % uint64(p.Stacks)
	hash := mix(stack)
	wait := waits[hash%uint64(len(waits))]
	out = append(out, "goroutine "...)
	out = strconv.AppendUint(out, i+1, 10)
	out = append(out, " ["...)
	out = append(out, wait[0]...)
	if minutes := mix(i) % 60; minutes > 1 {
		out = append(out, ", "...)
		out = strconv.AppendUint(out, minutes, 10)
		out = append(out, " minutes"...)
	}
	out = append(out, "]:\n"...)
	out = append(out, wait[1]...)
	own := -1
	if p.Own {
		own = int(hash >> 8 % 3)
	}
	for level := range levels {
		// The lower half of the levels spells the stack's number: no two are equal.
		call := hash >> (20 + choice*(level%4)) % (1 << choice)
		if level >= levels/2 {
			call = stack >> (choice * (level - levels/2)) % (1 << choice)
		}
		out = frame(out, level, call, stack, level == own, i)
	}
	out = append(out, "created by example.com/fleet/manager.(*Group).Start in goroutine 1\n"+
		"\t/src/fleet/manager/group.go:61 +0xa5\n\n"...)
	return out
}

// frame appends a call and its place. A goroutine's arguments are its own.
func frame(out []byte, level int, call, stack uint64, own bool, goroutine uint64) []byte {
	out = append(out, "example.com/fleet/store"...)
	out = strconv.AppendInt(out, int64(level), 10)
	out = append(out, ".(*Index"...)
	out = strconv.AppendUint(out, call%8, 10)
	out = append(out, ").step"...)
	out = strconv.AppendUint(out, call, 10)
	if own {
		out = append(out, "Of"...)
		out = strconv.AppendUint(out, stack, 10)
	}
	out = append(out, "(0xc00"...)
	out = appendPadded(out, goroutine*64%1e9, 7)
	out = append(out, ", {0x1b2e9f8, 0x4})\n\t/src/fleet/store"...)
	out = strconv.AppendInt(out, int64(level), 10)
	out = append(out, "/index"...)
	out = strconv.AppendUint(out, call%8, 10)
	out = append(out, ".go:"...)
	out = strconv.AppendUint(out, 40+11*call, 10)
	return append(out, " +0x1d7\n"...)
}
