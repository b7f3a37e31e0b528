package well

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"time"
)

// A program is one healthy program and how it is dumped.
type program struct {
	name  string
	from  string // the folder of its source, where one program has several names; "" for the name
	args  []string
	env   []string
	tests bool // a test binary
	old   bool // Go 1.18 builds it: it has dumps of other releases too
	heavy bool // takes all processors: only one such runs at a time

	warm   time.Duration // a process is killed after warm and something up to spread
	spread time.Duration
	life   time.Duration // of the process that is dumped ten times; at least warm
	aged   time.Duration // two processes are killed only after this; 0 for none
}

// source is the folder of the program, relative to the folder of all.
func (p program) source() string {
	if p.from != "" {
		return p.from
	}
	return p.name
}

// programs are what is run. Short lives are for those that take much of the machine.
var programs = []program{
	{name: "storefront", warm: time.Second, spread: 3 * time.Second, life: 4 * time.Minute},
	{name: "chat", warm: time.Second, spread: 4 * time.Second, life: 15 * time.Minute, aged: 4 * time.Minute},
	{name: "pubsub", old: true, warm: time.Second, spread: 4 * time.Second, life: 5 * time.Minute, aged: 4 * time.Minute},
	{name: "conveyor", old: true, warm: time.Second, spread: 4 * time.Second, life: 6 * time.Minute, aged: 5 * time.Minute},
	{name: "ledger", old: true, warm: time.Second, spread: 4 * time.Second, life: 2 * time.Minute},
	{name: "pools", old: true, warm: time.Second, spread: 4 * time.Second, life: 6 * time.Minute, aged: 5 * time.Minute},
	{name: "ticking", warm: 5 * time.Second, spread: 20 * time.Second, life: 15 * time.Minute, aged: 4 * time.Minute},
	{name: "jobs", warm: time.Second, spread: 4 * time.Second, life: 5 * time.Minute, aged: 4 * time.Minute},
	{name: "bootstrap", warm: time.Second, spread: 10 * time.Second, life: 5 * time.Minute},
	{name: "replica", warm: time.Second, spread: 5 * time.Second, life: 6 * time.Minute, aged: 4 * time.Minute},
	{name: "drain", warm: 200 * time.Millisecond, spread: 15 * time.Second, life: 15 * time.Second},
	{name: "batch", warm: time.Second, spread: 4 * time.Second, life: 5 * time.Minute, aged: 4 * time.Minute},
	{name: "proxy", warm: time.Second, spread: 4 * time.Second, life: 5 * time.Minute, aged: 4 * time.Minute},
	{name: "rpcmux", warm: time.Second, spread: 4 * time.Second, life: 8 * time.Minute, aged: 5 * time.Minute},
	{name: "logship", warm: time.Second, spread: 4 * time.Second, life: 3 * time.Minute},
	{name: "thumbnails", warm: time.Second, spread: 4 * time.Second, life: 2 * time.Minute},
	{name: "quotes", warm: time.Second, spread: 4 * time.Second, life: 6 * time.Minute, aged: 4 * time.Minute},
	{name: "operator-idle", from: "operator", args: []string{"idle"}, warm: time.Second, spread: 10 * time.Second, life: 12 * time.Minute, aged: 5 * time.Minute},
	{name: "operator-busy", from: "operator", args: []string{"busy"}, warm: time.Second, spread: 6 * time.Second, life: 4 * time.Minute},
	{name: "suite", args: []string{"-test.parallel=4"}, tests: true, warm: 500 * time.Millisecond, spread: 40 * time.Second, life: time.Minute},
	{name: "bank", warm: 300 * time.Millisecond, spread: 2 * time.Second, life: 20 * time.Second},
	{name: "cache", heavy: true, warm: 300 * time.Millisecond, spread: 2 * time.Second, life: 10 * time.Second},
}

// How many dumps a program has: of the main release by a signal and by the living process, and of each other release.
const (
	bySignal, byStack           = 10, 10
	bySignalOther, byStackOther = 3, 2
)

// A task is one process: it is dumped at the moments, by a signal to which it dies (one moment) or by itself.
type task struct {
	program
	bin     string
	moments []time.Duration // after the program was ready, in order
	files   []string        // as many as moments
	dies    bool
}

// tasks are all processes of a program.
func (p program) tasks(r release, bin, out string) []task {
	signals, stacks, life := bySignal, byStack, p.life
	if !r.isMain() {
		signals, stacks, life = bySignalOther, byStackOther, p.warm+p.spread
	}
	var list []task
	for i := 0; i < signals; i++ {
		at := p.warm + rand.N(p.spread)
		if p.aged > 0 && i < 2 {
			at += p.aged
		}
		file := filepath.Join(out, fmt.Sprintf("%ssignal-%02d.txt", r.prefix(), i+1))
		list = append(list, task{program: p, bin: bin, moments: []time.Duration{at}, files: []string{file}, dies: true})
	}
	living := task{program: p, bin: bin}
	for i := 0; i < stacks; i++ {
		living.moments = append(living.moments, p.warm+rand.N(life))
		living.files = append(living.files, filepath.Join(out, fmt.Sprintf("%sdebug2-%02d.txt", r.prefix(), i+1)))
	}
	slices.Sort(living.moments)
	return append(list, living)
}
