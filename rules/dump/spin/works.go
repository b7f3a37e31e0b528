package spin

import (
	"cmp"
	"slices"

	"github.com/gotriage/triage/rules"
)

// works finds a goroutine at work in the dumps that its process made later. A log may hold thousands of dumps, each
// with goroutines at work: they are found by their ids, without a walk over all dumps for each.
type works struct {
	place map[*rules.DumpInput]int // of a dump among those of its process, in order of time
	of    map[worker][]work        // in that order
}

// A worker is a goroutine of a process.
type worker struct {
	process string
	id      uint64
}

// A work is what a goroutine does in the dump at a place, beside all who are active there.
type work struct {
	place int
	a     *active
	all   []active
}

// worksOf looks through the processes that have several of the dumps.
func worksOf(dumps []*rules.DumpInput) works {
	ofProcess := map[string][]*rules.DumpInput{}
	for _, d := range dumps {
		if d.Process != "" {
			ofProcess[d.Process] = append(ofProcess[d.Process], d)
		}
	}
	w := works{place: map[*rules.DumpInput]int{}, of: map[worker][]work{}}
	for process, same := range ofProcess {
		if len(same) < 2 {
			continue
		}
		rules.SortByTime(same)
		for place, d := range same {
			w.place[d] = place
			w.add(process, place, activity(d))
		}
	}
	return w
}

// add takes the first of each goroutine's stacks whose words are its own: a bucket has those of its first goroutine.
func (w *works) add(process string, place int, all []active) {
	for i := range all {
		a := &all[i]
		if !a.busy() {
			continue
		}
		key := worker{process, a.goroutines[0].ID}
		if key.id == 0 || a.bucket.Goroutines[0].ID != key.id {
			continue
		}
		known := w.of[key]
		if n := len(known); n == 0 || known[n-1].place != place {
			w.of[key] = append(known, work{place, a, all})
		}
	}
}

// after is the work of a goroutine in the next dump after d in which it is at work, nil where there is none.
func (w *works) after(d *rules.DumpInput, id uint64) *work {
	all := w.of[worker{d.Process, id}]
	i, _ := slices.BinarySearchFunc(all, w.place[d]+1, func(x work, place int) int {
		return cmp.Compare(x.place, place)
	})
	if i == len(all) {
		return nil
	}
	return &all[i]
}
