package hostile

import (
	"fmt"
	"io"
	"strings"
)

const (
	signalHead = "SIGABRT: abort\nPC=0x46ac21 m=0 sigcode=0\n\n"
	oneStack   = "goroutine 1 [select]:\nmain.loop(0xc000012345)\n\t/src/main.go:10 +0x1d\nmain.main()\n" +
		"\t/src/main.go:5 +0x20\n\n"
	registers = "rax    0x0\nrbx    0x1\nrip    0x46ac21\n"
	counted   = "goroutine profile: total 3\n2 @ 0x43e1a5 0x44d2b0 0x6c1a2f\n#\t0x6c1a2e\tmain.work+0x2e\t/src/main.go:20\n\n" +
		"1 @ 0x43e1a5 0x44d2b1\n# labels: {\"tenant\":\"a\"}\n#\t0x6c1a2f\tmain.main+0x2e\t/src/main.go:21\n\n"
	race = "==================\nWARNING: DATA RACE\nRead at 0x00c000012345 by goroutine 7:\n  main.read()\n" +
		"      /src/main.go:9 +0x30\n\nPrevious write at 0x00c000012345 by goroutine 6:\n  main.write()\n" +
		"      /src/main.go:14 +0x44\n\nGoroutine 7 (running) created at:\n  main.main()\n      /src/main.go:5 +0x5c\n" +
		"==================\n"
)

// distinctStack writes the ith of many stacks of which no two are equal.
func distinctStack(w io.Writer, i int) {
	fmt.Fprintf(w, "goroutine %d [select]:\nmain.f%d(0xc000012345)\n\t/src/main.go:%d +0x1d\nmain.main()\n"+
		"\t/src/main.go:5 +0x20\n\n", i+1, i, i)
}

func deepStack(w io.Writer, frames int) {
	io.WriteString(w, "goroutine 1 [running]:\n")
	for i := range frames {
		fmt.Fprintf(w, "main.f%d(0x1)\n\t/src/main.go:%d +0x1d\n", i, i)
	}
}

func smallDumps() []Input {
	header := "goroutine 1 [select]:\n"
	return []Input{
		repeated("stacks.txt", "20,000 stacks of which no two are equal", signalHead, 20_000, distinctStack, registers),
		repeated("dumps.txt", "5,000 dumps of one goroutine, all with the same id", "", 5000,
			format("goroutine 1 [running]:\nmain.f%d()\n\t/src/main.go:1 +0x1\n\n"), ""),
		repeated("deep.txt", "a stack of 50,000 calls", "", 1,
			func(w io.Writer, _ int) { deepStack(w, 50_000) }, ""),
		repeated("headers.txt", "headers without stacks", "", 50_000, format("goroutine %d [running]:\n"), ""),
		repeated("states.txt", "a state of its own for each goroutine", "", 20_000,
			format("goroutine %[1]d [state %[1]d]:\nmain.main()\n\t/src/main.go:5 +0x20\n\n"), ""),
		repeated("labels.txt", "labels of its own for each goroutine", "", 20_000,
			format("goroutine %[1]d [select] {id: %[1]d}:\nmain.main()\n\t/src/main.go:5 +0x20\n\n"), ""),
		repeated("locks.txt", "a lock of its own for each of 20,000 goroutines", "", 20_000,
			format("goroutine %[1]d [sync.Mutex.Lock]:\nsync.runtime_SemacquireMutex(0xc%09[1]x, 0x0, 0x1)\n"+
				"\t/go/src/runtime/sema.go:95 +0x25\nsync.(*Mutex).Lock(...)\n\t/go/src/sync/mutex.go:45\n"+
				"main.(*T).f(0xc%09[1]x)\n\t/src/main.go:5 +0x20\n\n"), ""),
		repeated("ring.txt", "a ring of 5,000 goroutines that wait for each other's locks", "", 5000, ring(5000), ""),
		text("minutes.txt", "an age that no number holds", "goroutine 1 [select, 99999999999999999999999 minutes]:\n"+
			"main.main()\n\t/src/main.go:5 +0x20\n"),
		text("id.txt", "an id that no number holds", "goroutine 99999999999999999999999999 [select]:\nmain.main()\n"+
			"\t/src/main.go:99999999999999999999999 +0xfffffffffffffffffffffffff\n"),
		text("negative.txt", "negative numbers", "goroutine -1 [select, -5 minutes]:\nmain.main()\n\t/src/main.go:-5 +0x20\n"),
		text("elided.txt", "elided frames without number", header+"...99999999999999999999 frames elided...\n"+
			"...-1 frames elided...\nmain.main()\n\t/src/main.go:5\n"),
		text("name.txt", "a function's name of 2 MB", header+strings.Repeat("a", 2<<20)+"()\n\t/src/main.go:5 +0x1\n"),
		text("receiver.txt", "100,000 nested receivers", header+strings.Repeat("(*", 100_000)+"()\n\t/src/main.go:5\n"),
		text("generic.txt", "100,000 nested type arguments", header+"main.f["+strings.Repeat("a[", 100_000)+
			"]()\n\t/src/main.go:5\n"),
		text("words.txt", "arguments nested 100,000 deep", header+"main.f("+strings.Repeat("{", 100_000)+
			")\n\t/src/main.go:5\n"),
		text("ancestors.txt", "ancestors of ancestors", oneStack+strings.Repeat(
			"[originating from goroutine 1]:\nmain.f()\n\t/src/main.go:5 +0x20\n", 20_000)),
		text("threads.txt", "a crash with 20,000 threads", signalHead+oneStack+strings.Repeat("-----\n\n"+oneStack, 20_000)),
		text("registers.txt", "registers without end", signalHead+oneStack+strings.Repeat(registers, 50_000)),
		text("panics.txt", "a panic of 100,000 panics", strings.Repeat("panic: a [recovered]\n\t", 100_000)+"\n"+oneStack),
		repeated("counted.txt", "20,000 counted stacks", "goroutine profile: total 99999999999\n", 20_000,
			format("9223372036854775807 @ 0x%[1]x\n#\t0x%[1]x\tmain.f%[1]d+0x2e\t/src/main.go:20\n\n"), ""),
		text("total.txt", "a total below the stacks", strings.Replace(counted, "total 3", "total -1", 1)),
		repeated("races.txt", "2,000 races", "", 2000, same(race), ""),
		text("raceopen.txt", "a race report without end", strings.TrimSuffix(race, "==================\n")+
			strings.Repeat("  main.f()\n      /src/main.go:5 +0x1\n", 20_000)),
		text("crlf.txt", "carriage returns instead of line breaks", strings.ReplaceAll(signalHead+oneStack, "\n", "\r")),
		text("nul.txt", "NUL bytes in a dump", strings.ReplaceAll(signalHead+oneStack, " ", "\x00")),
		text("utf16.txt", "UTF-16 that ends in half a character", "\xff\xfe"+strings.Join(
			strings.Split(signalHead+oneStack, ""), "\x00")),
	}
}

// ring is a piece of n goroutines each of which holds a lock that the one before waits for.
func ring(n int) func(io.Writer, int) {
	return func(w io.Writer, i int) {
		fmt.Fprintf(w, "goroutine %d [sync.Mutex.Lock]:\nsync.runtime_SemacquireMutex(0xc%09x, 0x0, 0x1)\n"+
			"\t/go/src/runtime/sema.go:95 +0x25\nsync.(*Mutex).Lock(...)\n\t/go/src/sync/mutex.go:45\n"+
			"main.(*T).f%d(0xc%09x, 0xc%09x)\n\t/src/main.go:%d +0x20\n\n", i+1, (i+1)%n*64, i, (i+1)%n*64, i*64, i)
	}
}

func bigDumps() []Input {
	million := 1_000_000
	return []Input{
		repeated("million-stacks.txt", "10^6 stacks of which no two are equal", signalHead, million, distinctStack, ""),
		repeated("hundred-dumps.txt", "100 dumps of 10,000 stacks of which no two are equal", "", million,
			func(w io.Writer, i int) {
				if i%10_000 == 0 {
					io.WriteString(w, "2026-03-04 04:47:00 stopping\n"+signalHead)
				}
				distinctStack(w, i)
			}, ""),
		repeated("long-stacks.txt", "10,000 distinct stacks of 100 calls", signalHead, 10_000, func(w io.Writer, i int) {
			fmt.Fprintf(w, "goroutine %d [select]:\n", i+1)
			for j := range 100 {
				fmt.Fprintf(w, "main.f%d.func%d(0xc000012345)\n\t/src/main.go:%d +0x1d\n", i, j, j)
			}
			io.WriteString(w, "\n")
		}, ""),
		repeated("million-counted.txt", "10^6 counted stacks", "goroutine profile: total 1000000\n", million,
			format("1 @ 0x%[1]x\n#\t0x%[1]x\tmain.f%[1]d+0x2e\t/src/main.go:20\n\n"), ""),
		repeated("million-panics.txt", "500,000 logged panics, each of its own", "", 500_000,
			format("2026/03/04 04:47:00 http: panic serving 10.0.0.1:%[1]d: oh %[1]d\ngoroutine %[1]d [running]:\n"+
				"main.f%[1]d()\n\t/src/main.go:1 +0x1\n\n"), ""),
		repeated("million-waits.txt", "500,000 goroutines that wait for a lock each", signalHead, 500_000,
			format("goroutine %[1]d [sync.Mutex.Lock]:\nsync.runtime_SemacquireMutex(0xc%09[1]x, 0x0, 0x1)\n"+
				"\t/go/src/runtime/sema.go:95 +0x25\nsync.(*Mutex).Lock(...)\n\t/go/src/sync/mutex.go:45\n"+
				"main.(*T).f(0xc%09[1]x)\n\t/src/main.go:5 +0x20\n\n"), ""),
		repeated("million-races.txt", "200,000 races, each of its own", "", 200_000, func(w io.Writer, i int) {
			io.WriteString(w, strings.NewReplacer("main.read", fmt.Sprint("main.read", i),
				"main.write", fmt.Sprint("main.write", i)).Replace(race))
		}, ""),
		repeated("deep-stack.txt", "a stack of 10^6 calls", "", 1,
			func(w io.Writer, _ int) { deepStack(w, million) }, ""),
		repeated("million-goroutines.txt", "3 million goroutines of one stack", "", 3_000_000,
			format("goroutine %d [select]:\nmain.f()\n\t/src/main.go:5\n\n"), ""),
	}
}
