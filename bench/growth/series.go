package main

import (
	"math"

	"github.com/gotriage/triage/bench/internal/gen"
)

// A figure is one kind of input: a table and a plot of a few series.
type figure struct {
	name, title string
	unit        string // of sizes, in the plural
	series      []series
}

// A series is one way in which the input grows.
type series struct {
	name   string
	sizes  []float64
	input  func(size float64) gen.Input
	file   string // the extension of the file that it is read from; a pipe where empty
	points []point
	left   []float64 // sizes that were not measured, for want of time
}

func names() []string {
	var all []string
	for _, f := range figures() {
		all = append(all, f.name)
	}
	return all
}

func figures() []figure {
	stacks := func(own bool) func(float64) gen.Input {
		return func(n float64) gen.Input { return gen.Program{Stacks: int(n), Own: own}.Dump(int(n)) }
	}
	return []figure{
		{name: "dumps", title: "Dumps: goroutines of 50 stacks", unit: "goroutines", series: []series{
			{name: "50 stacks", sizes: decades(2, 6), file: ".txt",
				input: func(n float64) gen.Input { return gen.Program{Stacks: 50}.Dump(int(n)) }},
		}},
		{name: "stacks", title: "Dumps: distinct stacks, one goroutine each", unit: "stacks", series: []series{
			{name: "of 256 functions", sizes: decades(1, 6), file: ".txt", input: stacks(false)},
			{name: "each with a function of its own", sizes: decades(1, 6), file: ".txt", input: stacks(true)},
		}},
		{name: "logs", title: "Logs through a pipe", unit: "MB", series: []series{
			{name: "a hundredth is dumps", sizes: decades(1, 4),
				input: func(n float64) gen.Input { return gen.Sparse.Write(int64(n * 1e6)) }},
			{name: "dumps and little else", sizes: decades(1, 4),
				input: func(n float64) gen.Input { return gen.Dense.Write(int64(n * 1e6)) }},
		}},
		{name: "profiles", title: "CPU profiles", unit: "samples", series: []series{
			{name: "distinct stacks", sizes: decades(3, 6), file: ".pb.gz",
				input: func(n float64) gen.Input { return gen.CPUProfile(int(n)) }},
		}},
		{name: "bundles", title: "Support bundles", unit: "files", series: []series{
			{name: "zip, files of 7 kB", sizes: decades(1, 5), file: ".zip",
				input: func(n float64) gen.Input { return gen.Bundle(int(n)) }},
		}},
		{name: "audit", title: "Audit logs through a pipe", unit: "events", series: []series{
			{name: "60 nodes", sizes: decades(4, 7), input: func(n float64) gen.Input { return gen.Audit(int(n)) }},
		}},
	}
}

// decades are the powers of ten from one exponent to another.
func decades(from, to int) (all []float64) {
	for e := from; e <= to; e++ {
		all = append(all, math.Pow10(e))
	}
	return all
}

// quick has the two smallest sizes of each series.
func (f figure) quick() figure {
	for i := range f.series {
		f.series[i].sizes = f.series[i].sizes[:2]
	}
	return f
}
