package fetch

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// The names of items, for Plan.Only and Plan.Skip and in the manifest.
const (
	ItemCmdline      = "cmdline"
	ItemGoroutine    = "goroutine"     // binary, counted stacks
	ItemLeaks        = "goroutineleak" // Go 1.26 with GOEXPERIMENT=goroutineleakprofile, 1.27 by default
	ItemCPU          = "cpu"
	ItemStacks       = "stacks" // debug=2 dumps
	ItemHeap         = "heap"
	ItemAllocs       = "allocs"
	ItemMutex        = "mutex"
	ItemBlock        = "block"
	ItemThreadCreate = "threadcreate"
	ItemPreviousLog  = "previous-log" // of a pod's container before its last restart
	ItemLog          = "log"          // the end of a pod's current log; only when asked
)

// Kinds of items in the manifest.
const (
	kindProfile = "profile"
	kindDump    = "goroutine-dump"
	kindText    = "text"
	kindLog     = "log"
)

// An item is one thing to ask for.
type item struct {
	name  string
	page  string // below the prefix; "" for logs, which come from kubectl
	query string
	file  string
	kind  string
	lasts time.Duration // how long the process takes on purpose
}

func (it item) uri() string {
	if it.query == "" {
		return it.page
	}
	return it.page + "?" + it.query
}

// catalogue returns everything that can be asked for, in this order: first what decides about the rest, then cheap
// items before expensive ones; the leak profile before the dumps, because its marks then show in them.
func catalogue() []item {
	return []item{
		{name: ItemCmdline, page: "cmdline", file: "cmdline.txt", kind: kindText},
		{name: ItemGoroutine, page: "goroutine", file: "goroutine.pb.gz", kind: kindProfile},
		{name: ItemLeaks, page: "goroutineleak", file: "goroutineleak.pb.gz", kind: kindProfile},
		{name: ItemCPU, page: "profile", file: "cpu.pb.gz", kind: kindProfile},
		{name: ItemStacks, page: "goroutine", query: "debug=2", file: "goroutine-%d.txt", kind: kindDump},
		{name: ItemHeap, page: "heap", file: "heap.pb.gz", kind: kindProfile},
		{name: ItemAllocs, page: "allocs", file: "allocs.pb.gz", kind: kindProfile},
		{name: ItemMutex, page: "mutex", file: "mutex.pb.gz", kind: kindProfile},
		{name: ItemBlock, page: "block", file: "block.pb.gz", kind: kindProfile},
		{name: ItemThreadCreate, page: "threadcreate", file: "threadcreate.pb.gz", kind: kindProfile},
		{name: ItemPreviousLog, kind: kindLog},
		{name: ItemLog, kind: kindLog},
	}
}

// ItemNames lists the names that Plan.Only and Plan.Skip accept.
func ItemNames() []string {
	var names []string
	for _, it := range catalogue() {
		names = append(names, it.name)
	}
	return names
}

func (it item) isCPU() bool { return it.name == ItemCPU }

// numbered returns the n-th of the items that differ in their file's number.
func (it item) numbered(n int) item {
	it.file = fmt.Sprintf(it.file, n)
	return it
}

func checkNames(flag string, names []string) error {
	known := ItemNames()
	for _, n := range names {
		if !slices.Contains(known, n) {
			return usage("items: "+strings.Join(known, ", "), "--%s %q is nothing that can be captured", flag, n)
		}
	}
	return nil
}
