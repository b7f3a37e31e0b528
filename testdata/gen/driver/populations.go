package main

import (
	"hash/fnv"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"example.com/capture"
)

// A population is a list of programs, and how they are captured.
type population struct {
	labels    string // begins the names of the lists, below testdata
	halves    []string
	address   string // the environment variable with the address of a program's pprof port
	computing int    // programs that compute at a time
	tasks     func(p *capture.Program, l limits) []task
}

// dropped is what a process printed that has ended by itself, where a later one has the same.
const dropped = "dropped"

// Forms that several populations have.
var (
	counted = []string{"debug2", "debug1", "goroutine"}
	twice   = []string{"debug2", "two", "debug1"}
	all     = []string{"debug2", "two", "debug1", "goroutine"}
)

var halves = []string{"first", "second"}

// populations are all that have pprof ports. Those that are older than two minutes show how long goroutines have waited,
// if they have collected garbage.
var populations = map[string]*population{
	"bugs": {labels: "wild/bugs/", halves: []string{"first", "second", "third", "fourth", "fifth"}, address: "WILD_ADDR",
		tasks: bugTasks},
	"look-alikes": {labels: "wild/healthy/", halves: halves, address: "WILD_ADDR", tasks: tempting},
	"aged":        {labels: "aged/", halves: []string{"all"}, address: "AGED_ADDR", tasks: agedTasks},
	"coded":       {labels: "coded/", halves: []string{"seen", "unseen"}, address: "CODED_ADDR", tasks: codedTasks},
	"services": {labels: "services/", halves: halves, address: "SERVICE_ADDR",
		tasks: services("services", 5*time.Minute+20*time.Second, twice, "go1.22.12", "go1.26.8")},
	// A minute and a half: none has collected garbage by then, so that no goroutine shows how long it has waited.
	"reported": {labels: "services/reported-", halves: halves, address: "SERVICE_ADDR",
		tasks: services("services", 90*time.Second, counted, "go1.22.12", "go1.26.8")},
	"everyday": {labels: "services/everyday-", halves: halves, address: "SERVICE_ADDR",
		tasks: services("services/everyday", 3*time.Minute+30*time.Second, all, "go1.24.9", "go1.26.8")},
	"textbook": {labels: "textbook/", halves: halves, address: "PPROF", computing: 4, tasks: textbook},
	"busy":     {labels: "wild/busy/", halves: halves, address: "BUSY_ADDR", computing: 2, tasks: busyTasks},
	"mills":    {labels: "wild/busy/", halves: []string{"full"}, address: "BUSY_ADDR", tasks: busyTasks},
}

// atAge is an age, or the one that is asked for.
func (l *limits) atAge(usual time.Duration) time.Duration {
	if l.age > 0 {
		return l.age
	}
	return usual
}

// agedTasks are of programs that are older than what triage takes for long (a quarter of an hour), by as much as minutes
// in a dump may be too few. Servers are captured elsewhere.
func agedTasks(p *capture.Program, l limits) []task {
	if strings.HasPrefix(p.Name, "servers/") {
		return nil
	}
	return []task{{build: capture.Build{Release: runtime.Version(), Module: "aged", Package: "."}, Process: capture.Process{
		Command: []string{p.Name}, Age: l.atAge(20 * time.Minute), Forms: []string{"debug2"}, Signal: syscall.SIGQUIT}}}
}

func codedTasks(p *capture.Program, l limits) (tasks []task) {
	for _, release := range []string{runtime.Version(), "go1.22.12"} {
		tasks = append(tasks, task{folder: release,
			build:   capture.Build{Release: release, Module: "coded", Package: "./" + p.Half + "/" + p.Name},
			Process: capture.Process{Age: l.atAge(150 * time.Second), Forms: counted, Signal: syscall.SIGQUIT}})
	}
	return tasks
}

// services are programs of one command, built with two releases. Half of those that get old enough collect garbage at
// their start: either release has some with minutes.
func services(module string, age time.Duration, forms []string, releases ...string) func(*capture.Program, limits) []task {
	return func(p *capture.Program, l limits) (tasks []task) {
		h := fnv.New32a()
		h.Write([]byte(strings.TrimSuffix(p.Name, "-fixed")))
		for i, release := range releases {
			t := task{folder: release, build: capture.Build{Release: release, Module: module, Package: "."},
				Process: capture.Process{Command: []string{p.Name}, Age: l.atAge(age), Forms: forms}}
			if slices.Equal(forms, twice) && uint32(i) == h.Sum32()/2%2 {
				t.Env = []string{"SERVICE_GC=1"}
			}
			tasks = append(tasks, t)
		}
		return tasks
	}
}

// textbook are two runs of a program with each release: after ten seconds, and, if it has collected garbage at its
// start, after three minutes and a half. What a program prints that ends by itself is its capture.
func textbook(p *capture.Program, l limits) (tasks []task) {
	old := capture.Process{Env: []string{"GCEARLY=1"}, Age: 3*time.Minute + 30*time.Second, Forms: all, Crash: "crash.txt"}
	heavy := 0
	switch {
	case strings.Contains(p.Category, "spin") || strings.Contains(p.Category, "hot-cpu"):
		old.Age, old.Forms, heavy = 40*time.Second, append([]string{"cpu"}, all...), computes
	case strings.Contains(p.Category, "memory"):
		old.Forms = append([]string{"heap"}, all...)
	}
	old.Age = l.atAge(old.Age)
	young := capture.Process{Age: min(old.Age, 10*time.Second), Forms: []string{"debug2", "debug1"}, Crash: dropped}
	for _, release := range []string{"go1.24.9", "go1.26.8"} {
		build := capture.Build{Release: release, Module: "textbook", Package: "./" + p.Half + "/" + p.Name, Flags: "-ldflags=-w"}
		tasks = append(tasks, task{release, build, old, heavy}, task{release + "-young", build, young, heavy})
	}
	return tasks
}
