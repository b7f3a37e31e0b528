package waitgraph

import (
	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/stackparse"
)

// A solver finds the blockages and orphans of one dump.
type solver struct {
	holderFinder
	working map[workplace]bool   // where a goroutine computes
	serving map[int32]bucketPair // by the number of a type: stacks that go on in its methods
	cut     bool                 // locks are left unsolved

	blockages []Blockage
	orphans   []Orphan
	blocked   []bool // of each bucket: a blockage explains it
}

func newSolver(d *stackparse.Dump, program frame.Program, idle func(int) bool) *solver {
	return &solver{
		holderFinder: holderFinder{
			waits:  waits{stacks: newStacks(d, program, idle), waitsOn: make([][]int32, len(d.Buckets))},
			family: family{d: d},
			words:  wordIndex{d: d},
		},
		blocked: make([]bool, len(d.Buckets)),
	}
}
