package waitgraph

import (
	"strings"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/stackparse"
)

// A site is the call in which a goroutine waits: the first that is neither the runtime's nor sync's.
type site struct {
	frame int // index into Bucket.Frames, -1 where the whole stack waits for itself
	fn    string
	pkg   string
	typ   string // the receiver's type with its package; "" for plain functions
	file  string
	line  int
	once  bool // it waits inside sync.(*Once).Do
	code  *code
}

// siteOf finds the call in which the goroutines of b wait.
func siteOf(b *stackparse.Bucket) site {
	s := site{frame: -1}
	for i := range b.Frames {
		f := &b.Frames[i]
		if f.Elided != 0 {
			return s
		}
		if frame.WaitsForOthers(f.Func) {
			s.once = s.once || strings.HasPrefix(f.Func, "sync.(*Once).")
			continue
		}
		s.frame = i
		s.fn, s.file, s.line = f.Func, f.File, f.Line
		s.pkg, s.typ = ownerOf(f.Func)
		return s
	}
	return s
}

// modeOf returns how the goroutines of b wait; ok is false where they wait for nothing that has an owner.
func modeOf(b *stackparse.Bucket, s site) (kind Kind, mode Mode, ok bool) {
	switch b.Class {
	case stackparse.ClassMutex:
		if s.once {
			return Once, ModeLock, true
		}
		return Mutex, ModeLock, true
	case stackparse.ClassRWMutexR:
		return RWMutex, ModeRLock, true
	case stackparse.ClassRWMutexW:
		for i := range b.Frames {
			if strings.HasSuffix(b.Frames[i].Func, "(*Mutex).lockSlow") {
				return RWMutex, ModeQueued, true
			}
			if strings.HasSuffix(b.Frames[i].Func, "(*RWMutex).Lock") {
				break
			}
		}
		return RWMutex, ModePending, true
	case stackparse.ClassChanSend:
		return Channel, ModeSend, true
	case stackparse.ClassChanReceive:
		return Channel, ModeReceive, true
	case stackparse.ClassWaitGroup:
		return WaitGroup, ModeWait, true
	case stackparse.ClassCond:
		return Cond, ModeWait, true
	case stackparse.ClassSemaphore:
		return Semaphore, ModeWait, true
	}
	return "", "", false
}
