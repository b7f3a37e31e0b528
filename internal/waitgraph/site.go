package waitgraph

import (
	"strings"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/stackparse"
)

// A site is the call in which a goroutine waits: the first that is neither the runtime's nor sync's.
type site struct {
	*code     // of no function where the whole stack waits for itself
	frame int // index into Bucket.Frames, -1 where the whole stack waits for itself
	line  int
	once  bool // it waits inside sync.(*Once).Do
}

// siteOf finds the call in which the goroutines of b wait.
func (cs codes) siteOf(b *stackparse.Bucket) site {
	s := site{frame: -1}
	for i := range b.Frames {
		f := &b.Frames[i]
		if f.Elided != 0 {
			break
		}
		if !frame.WaitsForOthers(f.Func) {
			return site{cs.of(f.Func, f.File), i, f.Line, s.once}
		}
		s.once = s.once || strings.HasPrefix(f.Func, "sync.(*Once).")
	}
	s.code = cs.of("", "")
	return s
}

// modes are the kinds of objects and how goroutines of a class wait for them. modeOf separates those of
// a sync.Once, and the writers of a RWMutex.
var modes = map[stackparse.Class]struct {
	kind Kind
	mode Mode
}{
	stackparse.ClassMutex:       {Mutex, ModeLock},
	stackparse.ClassRWMutexR:    {RWMutex, ModeRLock},
	stackparse.ClassRWMutexW:    {RWMutex, ModePending},
	stackparse.ClassChanSend:    {Channel, ModeSend},
	stackparse.ClassChanReceive: {Channel, ModeReceive},
	stackparse.ClassWaitGroup:   {WaitGroup, ModeWait},
	stackparse.ClassCond:        {Cond, ModeWait},
	stackparse.ClassSemaphore:   {Semaphore, ModeWait},
}

// modeOf returns how the goroutines of b wait; ok is false where they wait for nothing that has an owner.
func modeOf(b *stackparse.Bucket, s site) (kind Kind, mode Mode, ok bool) {
	m, ok := modes[b.Class]
	switch {
	case m.kind == Mutex && s.once:
		return Once, ModeLock, true
	case m.mode == ModePending:
		for i := range b.Frames {
			switch fn := b.Frames[i].Func; {
			case strings.HasSuffix(fn, "(*Mutex).lockSlow"):
				return RWMutex, ModeQueued, true
			case strings.HasSuffix(fn, "(*RWMutex).Lock"):
				return RWMutex, ModePending, true
			}
		}
	}
	return m.kind, m.mode, ok
}
