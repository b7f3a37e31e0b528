// Command zoo keeps one enclosure for every way in which a goroutine can stand still, each with a known number of
// goroutines. `zoo -counts` prints these numbers; otherwise it waits to be killed by a signal, after
// `-profiles DIR` made it write its goroutine profiles in all three forms.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"time"

	"example.com/fixtures/ready"
)

// An enclosure is a kind of goroutine. Several may share a lock or a channel, which keep then holds together.
type enclosure struct {
	function string // the innermost function of our own
	count    int
	class    string // what it waits for: lock, chan, select, sleep, io, syscall, cond, waitgroup, none
}

// enclosures says what the zoo contains besides main and what the runtime starts.
var enclosures = []enclosure{
	{"main.(*depot).restock", 1, "chan"},
	{"main.(*depot).take", 8, "lock"},
	{"main.(*ledger).audit", 1, "chan"},
	{"main.(*ledger).post", 3, "lock"},
	{"main.(*ledger).balance", 5, "lock"},
	{"main.publish", 10, "chan"},
	{"main.consume", 8, "chan"},
	{"main.(*queue).pop", 6, "cond"},
	{"main.awaitBatch", 3, "waitgroup"},
	{"main.dispatch", 6, "select"},
	{"main.sendNowhere", 2, "chan"},
	{"main.receiveNowhere", 2, "chan"},
	{"main.selectNothing", 2, "select"},
	{"main.nap", 4, "sleep"},
	{"main.acceptClients", 1, "io"},
	{"main.readClient", 2, "io"},
	{"main.readPipe", 2, "io"},
	{"main.readRaw", 2, "syscall"},
	{"main.pinned", 1, "chan"},
	{"main.descend", 2, "chan"}, // one 121 frames deep, one 301
	{"main.(*family).parent", 5, "waitgroup"},
	{"main.(*family).child", 20, "chan"},
	{"main.onTimer", 2, "chan"},
	{"main.watchTicker", 2, "chan"},
	{"main.labelled", 3, "chan"},
}

func main() {
	counts := flag.Bool("counts", false, "print what the zoo contains and stop")
	profiles := flag.String("profiles", "", "write goroutine profiles into this folder")
	minutes := flag.Bool("minutes", false, "run garbage collections and stay for 70 s, so that waits have an age")
	flag.Parse()
	if *counts {
		for _, e := range enclosures {
			fmt.Printf("%s\t%d\t%s\n", e.function, e.count, e.class)
		}
		return
	}
	ready.Limit(3 * time.Minute)
	keepLocks(size("main.(*depot).take"), size("main.(*ledger).post"), size("main.(*ledger).balance"))
	keepChannels()
	keepIO()
	keepDeep()
	keepTimers()
	keepLabelled()
	time.Sleep(300 * time.Millisecond)
	if *profiles != "" {
		if err := writeProfiles(*profiles); err != nil {
			fmt.Fprintln(os.Stderr, "zoo: writing profiles:", err)
			os.Exit(1)
		}
	}
	if *minutes {
		twoCollections()
		time.Sleep(70 * time.Second)
	}
	ready.Tell()
	time.Sleep(time.Hour)
}

// size is the number of goroutines in an enclosure.
func size(function string) int {
	for _, e := range enclosures {
		if e.function == function {
			return e.count
		}
	}
	panic("no enclosure " + function)
}

// writeProfiles writes the goroutine profile as text with one stack a goroutine (debug=2), as counted stacks
// (debug=1) and in binary.
func writeProfiles(dir string) error {
	for name, debug := range map[string]int{"zoo-debug2.txt": 2, "zoo-debug1.txt": 1, "zoo.pb.gz": 0} {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		if err := pprof.Lookup("goroutine").WriteTo(f, debug); err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

// keepLabelled starts goroutines with pprof labels, one of them hard to read back.
func keepLabelled() {
	sets := []pprof.LabelSet{
		pprof.Labels("queue", "parcels"),
		pprof.Labels("queue", "a b", "shard", "7"),
		pprof.Labels("path", "x]:{y\n\"z\"}"),
	}
	never := make(chan int)
	for _, set := range sets {
		go pprof.Do(context.Background(), set, func(context.Context) { labelled(never) })
	}
}

//go:noinline
func labelled(never chan int) {
	<-never
	runtime.KeepAlive(never)
}

// twoCollections gives waits an age: a collection notes for each goroutine that waits when the collection before it
// began, so that the first one notes nothing.
func twoCollections() {
	runtime.GC()
	runtime.GC()
}
