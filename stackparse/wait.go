package stackparse

import "strings"

// A waitSite is the place of the address that a goroutine waits for in a stack's text.
type waitSite struct {
	frame int // of stackBuilder.args; -1 for none
	minus uint64
}

// Where the runtime and sync pass the object. All but the semaphore words are the object's own address; a RWMutex's
// semaphores lie behind its Mutex of 8 bytes (sync/rwmutex.go: writerSem at 8, readerSem at 12), so that readers,
// writers and writers that queue in its Mutex agree on one address.
var waitArgs = map[string]bool{
	"runtime.chansend":                      true,
	"runtime.chanrecv":                      true,
	"sync.(*Mutex).lockSlow":                true,
	"internal/sync.(*Mutex).lockSlow":       true,
	"runtime.semacquire1":                   true,
	"runtime.semacquire":                    true,
	"sync.runtime_Semacquire":               true,
	"sync.runtime_SemacquireMutex":          true,
	"internal/sync.runtime_SemacquireMutex": true,
	"sync.runtime_SemacquireRWMutexR":       true,
	"sync.runtime_SemacquireRWMutex":        true,
	"sync.runtime_SemacquireWaitGroup":      true,
	"sync.runtime_notifyListWait":           true,
	"internal/poll.runtime_pollWait":        true,
	"net.runtime_pollWait":                  true,
}

// waitSiteOf finds the frame whose first word is the address: the object's own where one is printed for sure, a
// semaphore inside it otherwise.
func waitSiteOf(frames []Frame) waitSite {
	best := waitSite{frame: -1}
	exact := false
	class := classOfFrames(frames)
	for i := range frames[:min(len(frames), maxWaitDepth)] {
		f := &frames[i]
		if !waitArgs[f.Func] || f.Inlined {
			continue
		}
		isMutex := strings.HasSuffix(f.Func, "(*Mutex).lockSlow")
		if best.frame >= 0 && !isMutex || exact {
			continue // the runtime's own word is nearest the leaf, and sure; sync's may be stale ("?")
		}
		best = waitSite{frame: i}
		exact = isMutex
		if isMutex || !strings.Contains(strings.ToLower(f.Func), "semacquire") {
			continue
		}
		switch class {
		case ClassRWMutexR:
			best.minus = 12
		case ClassRWMutexW:
			best.minus = 8
		case ClassMutex:
			best.minus = 4 // Mutex{state int32; sema uint32}
		}
	}
	return best
}

// address reads the word from the goroutine's own text; 0 where it is not printed or not sure.
func (w waitSite) address(stack *stackBuilder) uint64 {
	if w.frame < 0 || w.frame >= stack.depth {
		return 0
	}
	at := stack.args[w.frame]
	if at < 0 {
		return 0 // the frame had no room
	}
	addr, rest := leadingHex(stack.text[at:])
	if addr < w.minus || len(rest) == 0 || rest[0] == '?' {
		return 0
	}
	return addr - w.minus
}
