package waitgraph

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// A writer prints goroutines in one of the two forms of a dump.
type writer struct {
	bytes.Buffer
	signal bool // with the runtime's own frames, fp, sp and pc, as a signal's dump of Go 1.22 and later
	n      int  // goroutines so far
}

func (w *writer) begin(state string) int {
	w.n++
	if w.signal {
		fmt.Fprintf(w, "goroutine %d gp=0xc%07x m=nil [%s, 3 minutes]:\n", w.n, w.n, state)
	} else {
		fmt.Fprintf(w, "goroutine %d [%s, 3 minutes]:\n", w.n, state)
	}
	return w.n
}

// own prints a frame that debug=2 hides.
func (w *writer) own(call string) {
	if w.signal {
		w.call(call, "/usr/local/go/src/runtime/proc.go:460")
	}
}

func (w *writer) call(call, place string) {
	if w.signal {
		fmt.Fprintf(w, "%s\n\t%s +0x1d fp=0xc000%05x sp=0xc000%05x pc=0x4a3c1b\n", call, place, w.n&0xfffff, w.n&0xfffff)
		return
	}
	fmt.Fprintf(w, "%s\n\t%s +0x1d\n", call, place)
}

func (w *writer) end(creator string, parent int) {
	w.own("runtime.goexit({})")
	fmt.Fprintf(w, "created by %s in goroutine %d\n\t/src/app/main.go:30 +0x5c\n\n", creator, parent)
}

func (w *writer) mutex(addr int) {
	w.begin("sync.Mutex.Lock")
	w.own("runtime.gopark(0x0?, 0x0?, 0x0?, 0x0?, 0x0?)")
	w.own("runtime.goparkunlock(...)")
	w.own(fmt.Sprintf("runtime.semacquire1(%#x, 0x0, 0x3, 0x2, 0x15)", addr+4))
	w.call("internal/sync.runtime_SemacquireMutex(0x0?, 0x0?, 0x0?)", "/usr/local/go/src/runtime/sema.go:95")
	w.call(fmt.Sprintf("internal/sync.(*Mutex).lockSlow(%#x)", addr), "/usr/local/go/src/internal/sync/mutex.go:149")
	w.call("internal/sync.(*Mutex).Lock(...)", "/usr/local/go/src/internal/sync/mutex.go:70")
	w.call("sync.(*Mutex).Lock(...)", "/usr/local/go/src/sync/mutex.go:46")
}

func (w *writer) receive(addr int) {
	w.begin("chan receive")
	w.own("runtime.gopark(0x0?, 0x0?, 0x0?, 0x0?, 0x0?)")
	w.own(fmt.Sprintf("runtime.chanrecv(%#x, 0xc000077000, 0x1)", addr))
	w.own("runtime.chanrecv1(0x0?, 0x0?)")
}

// Addresses of the generated objects.
const (
	storeAddr = 0xc000800000
	chanAddr  = 0xc010000000
	lockAddr  = 0xc020000000
)

// convoy is a server of n goroutines: half of them wait for one Mutex, whose holder reads from the network, a fifth for
// a channel of their own, a tenth in selects, and the others for the next work of a queue.
func convoy(n int, signal bool) []byte {
	w := &writer{signal: signal}
	for i := range n - 1 {
		switch {
		case i%10 < 5:
			w.mutex(storeAddr + 0x18)
			w.call(fmt.Sprintf("example.com/app/store.(*Store).Get(%#x, {0xc000%05x, 0x5})", storeAddr, i&0xfffff), "/src/app/store/store.go:41")
			w.call(fmt.Sprintf("example.com/app/api.(*Handler).serve(0xc001%05x, {0x8e1a20, 0xc000010018}, 0xc000020018)", i&0xfffff), fmt.Sprintf("/src/app/api/handler.go:%d", 80+i%3))
			w.end("net/http.(*Server).Serve", 1)
		case i%10 < 7:
			w.receive(chanAddr + 96*i)
			w.call(fmt.Sprintf("example.com/app/api.(*Call).Wait(0xc002%05x)", i&0xfffff), "/src/app/api/call.go:20")
			w.call("example.com/app/api.(*Handler).proxy(0xc000010018)", "/src/app/api/handler.go:120")
			w.end("example.com/app/api.(*Handler).serve", w.n-1)
		case i%10 < 8:
			w.begin("select")
			w.own("runtime.gopark(0x0?, 0x0?, 0x0?, 0x0?, 0x0?)")
			w.own("runtime.selectgo(0xc000077000, 0xc000077010, 0x0, 0x0, 0x2, 0x1)")
			w.call(fmt.Sprintf("example.com/app/api.(*Session).loop(0xc003%05x)", i&0xfffff), "/src/app/api/session.go:33")
			w.end("example.com/app/api.(*Handler).serve", w.n-1)
		default:
			w.receive(chanAddr)
			w.call(fmt.Sprintf("example.com/app/queue.(*Worker).run(0xc004%05x)", i&0xfffff), "/src/app/queue/worker.go:12")
			w.end("example.com/app/queue.Start", 1)
		}
	}
	w.begin("IO wait")
	w.own("runtime.gopark(0x0?, 0x0?, 0x0?, 0x0?, 0x0?)")
	w.call("internal/poll.runtime_pollWait(0x7f3a5c0100, 0x72)", "/usr/local/go/src/runtime/netpoll.go:351")
	w.call("net.(*conn).Read(0xc000050000, {0xc000060000, 0x1000, 0x1000})", "/usr/local/go/src/net/net.go:194")
	w.call(fmt.Sprintf("example.com/app/store.(*Store).Sync(%#x)", storeAddr), "/src/app/store/store.go:77")
	w.call("example.com/app/api.(*Handler).sync(0xc000010018)", "/src/app/api/handler.go:140")
	w.end("net/http.(*Server).Serve", 1)
	return w.Bytes()
}

// ownMutexes is n goroutines that wait for a Mutex each, in 100 distinct stacks.
func ownMutexes(n int) []byte {
	w := &writer{signal: true}
	for i := range n {
		w.mutex(lockAddr + 256*i + 8)
		w.call(fmt.Sprintf("example.com/app/store.(*Row).get(%#x)", lockAddr+256*i), fmt.Sprintf("/src/app/store/row.go:%d", 1+i%100))
		w.call(fmt.Sprintf("example.com/app/store.(*Table).scan(%#x)", storeAddr), "/src/app/store/table.go:9")
		w.end("main.main", i)
	}
	return w.Bytes()
}

// cycles is n locks, which two goroutines at a time take in opposite order; stacks is how many different places do so.
func cycles(n, stacks int) []byte {
	w := &writer{signal: true}
	for i := range n {
		own, other := lockAddr+256*i, lockAddr+256*(i^1)
		at := i % stacks
		w.mutex(other + 8)
		w.call(fmt.Sprintf("example.com/app/bank.(*Account).credit(%#x)", other), fmt.Sprintf("/src/app/bank/account.go:%d", 1+at))
		w.call(fmt.Sprintf("example.com/app/bank.(*Account).transfer(%#x)", own), fmt.Sprintf("/src/app/bank/account.go:%d", 100_000+at))
		w.call("example.com/app/bank.(*Bank).run(0xc000010018)", "/src/app/bank/bank.go:10")
		w.end("main.main", 1)
	}
	return w.Bytes()
}

// manyStacks is n distinct stacks of 50 frames, all in one package, which wait for one lock.
func manyStacks(n int) []byte {
	w := &writer{signal: true}
	for i := range n {
		w.mutex(storeAddr + 0x18)
		w.call(fmt.Sprintf("example.com/app/store.(*Store).Get(%#x)", storeAddr), fmt.Sprintf("/src/app/store/store.go:%d", 1+i))
		for f := range 49 {
			w.call(fmt.Sprintf("example.com/app/store.(*Node%d).walk(0xc000010018)", f), fmt.Sprintf("/src/app/store/node.go:%d", 1+i%(f+7)))
		}
		w.end("main.main", 1)
	}
	return w.Bytes()
}

// families is n goroutines in n/64 stacks, 64 of them children of one goroutine, which wait for channels.
func families(n int) []byte {
	w := &writer{signal: true}
	for i := range n {
		w.receive(chanAddr + 96*i)
		w.call(fmt.Sprintf("example.com/app/pool.(*Task).wait(0xc00%06x)", i&0xffffff), fmt.Sprintf("/src/app/pool/task.go:%d", 1+i/64))
		w.end("example.com/app/pool.Run", 1+i%64)
	}
	return w.Bytes()
}

// A generated dump.
type input struct {
	name string
	text []byte
}

// inputs are dumps of a server, and hostile ones, times/parts as big as the benchmarks'.
func inputs(times, parts int) []input {
	n := func(size int) int { return size * times / parts }
	return []input{
		{"convoy, signal", convoy(n(100_000), true)},
		{"convoy, debug2", convoy(n(100_000), false)},
		{"own mutexes", ownMutexes(n(100_000))},
		{"cycles, 2 stacks", cycles(n(2_000), 2)},
		{"cycles, distinct stacks", cycles(n(2_000), n(2_000))},
		{"distinct stacks, one lock", manyStacks(n(5_000))},
		{"families", families(n(100_000))},
	}
}

// BenchmarkBuild and BenchmarkParse print rates over the same bytes, so that what the graph costs beside the parse can
// be read in one run. What Build allocates is an upper bound of what it takes beside the dump.
func BenchmarkBuild(b *testing.B) {
	for _, in := range inputs(1, 1) {
		d := parse(in.text)[0]
		b.Run(in.name, func(b *testing.B) {
			b.SetBytes(int64(len(in.text)))
			b.ReportAllocs()
			for b.Loop() {
				new(Memory).Build(d, frame.Program{}, neverIdle)
			}
			b.ReportMetric(float64(d.Goroutines), "goroutines")
		})
	}
}

// BenchmarkParse is the other half of the ratio.
func BenchmarkParse(b *testing.B) {
	for _, in := range inputs(1, 1) {
		b.Run(in.name, func(b *testing.B) {
			b.SetBytes(int64(len(in.text)))
			b.ReportAllocs()
			for b.Loop() {
				p := stackparse.NewParser(func(*stackparse.Dump) {})
				num := int64(0)
				for text := in.text; len(text) > 0; {
					num++
					line, rest, _ := bytes.Cut(text, []byte("\n"))
					p.Line(line, num, nil)
					text = rest
				}
				p.Close()
			}
		})
	}
}
