package main

import (
	"runtime"
	"slices"
	"time"

	"example.com/capture"
)

// bugTasks are of the two versions of a bug's module. The folder of the program has a module file for each: go.mod for
// the one with the bug, fixed.mod for the other, which is built with the tag `fixed`.
func bugTasks(p *capture.Program, l limits) (tasks []task) {
	for variant, flags := range map[string]string{"bad": "", "fixed": "-modfile=fixed.mod -tags=fixed"} {
		build := capture.Build{Release: runtime.Version(), Module: "wild/bugs/" + p.Name, Package: ".", Flags: flags}
		tasks = append(tasks, modes(p, l, variant, build, profiled)...)
	}
	return tasks
}

// older is the old release that builds a healthy program besides this machine's, by the release that it needs: there is
// none for programs that need a later one.
var older = map[string]string{"1.20": "go1.20.14", "1.22": "go1.22.12"}

// tempting are of a healthy program, built with both releases.
func tempting(p *capture.Program, l limits) (tasks []task) {
	releases := []string{runtime.Version()}
	if old := older[p.Release]; old != "" && l.age == 0 {
		releases = append(releases, old)
	}
	for _, release := range releases {
		build := capture.Build{Release: release, Module: "wild/healthy/" + p.Name, Package: "."}
		tasks = append(tasks, modes(p, l, release, build, append([]string{"cpu", "heap"}, all...))...)
	}
	return tasks
}

// profiled are all forms.
var profiled = append([]string{"cpu", "heap", "allocs", "mutex", "block", "fetch"}, all...)

// modes are two processes, one as it is and one that collected garbage at its start, since only then a dump shows how
// long goroutines have waited. Whoever is on call comes minutes after a standstill; a leak needs time to grow. What
// computes is captured after a short while, alone. At another age only what does little but wait is captured: without
// minutes an old dump shows what a young one does, and profiles show little.
func modes(p *capture.Program, l limits, folder string, build capture.Build, forms []string) (tasks []task) {
	busy := slices.Contains([]string{"spin", "hot", "busy"}, p.Kind)
	t := task{build: build, Process: capture.Process{Age: 5*time.Minute + 20*time.Second, Forms: forms}}
	names := []string{"plain", "collected"}
	switch {
	case l.age > 0:
		if p.Kind != "deadlock" && p.Kind != "waits" {
			return nil
		}
		t.Age, t.Forms, names = l.age, all, names[1:]
	case busy:
		t.Age, t.heavy, names = 12*time.Second, computes, names[:1] // it collects garbage by itself
	case p.Kind == "heap":
		t.Age, t.heavy, names = 150*time.Second, grows, names[:1]
	case p.Kind == "crash":
		t.Crash = "signal.txt"
	}
	for _, name := range names {
		of := t
		of.folder = folder + "/" + name
		if name == "collected" {
			of.Env = []string{"WILD_GC=1"}
		}
		tasks = append(tasks, of)
	}
	return tasks
}
