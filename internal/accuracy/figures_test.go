package accuracy

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gotriage/triage/triage/schema"
)

// halves are the names of all halves, in the order in which they are listed.
var halves = []string{"", "first", "second", "third", "fourth", "fifth", "full", "seen", "unseen", "a", "b"}

// closed are the halves with which triage is measured and nothing is developed: nothing that is printed names a case of
// theirs.
var closed = []string{"second", "fifth", "unseen", "b"}

// isClosed reports whether a half is closed.
func isClosed(half string) bool { return slices.Contains(closed, half) }

// A row has the figures of one half of a population.
type row struct {
	population, half string
	outside          bool
	programs         [2]map[string]bool // those with a fault, and those without
	forms            map[string]*row    // of inputs that can show the fault; nil in a row of one form

	faulty, answer1, answer3, named, whole, silent int // of inputs that can show the fault
	detailed                                       int // of those that are named: with a label that asks for details
	dumps, naive, beside1, beside3                 int // of those that are dumps
	all, accused                                   int // of inputs with a fault, whether they can show it or not
	well, alarms, leads, strong                    int // of inputs without one
}

// rowsOf are the rows of the batches, those of a population together.
func rowsOf(batches []*batch) (rows []*row) {
	at, order := map[[2]string]*row{}, map[string]int{}
	rowOf := func(population, half string) *row {
		key := [2]string{population, half}
		if at[key] == nil {
			at[key] = newRow(population, half)
			rows = append(rows, at[key])
			order[population] = cmp.Or(order[population], len(rows))
		}
		return at[key]
	}
	for _, b := range batches {
		rowOf(b.population, b.half).outside = b.outside
		for _, in := range b.judged {
			rowOf(b.of(in), b.half).count(in)
		}
	}
	slices.SortStableFunc(rows, func(a, b *row) int {
		return cmp.Or(cmp.Compare(order[a.population], order[b.population]),
			cmp.Compare(slices.Index(halves, a.half), slices.Index(halves, b.half)))
	})
	return rows
}

func newRow(population, half string) *row {
	return &row{population: population, half: half, programs: [2]map[string]bool{{}, {}}, forms: map[string]*row{}}
}

// measured reports whether there was anything to measure: what is not in this repository may be absent.
func (r *row) measured() bool { return !r.outside || r.all+r.well > 0 }

// count adds an input.
func (r *row) count(in *input) {
	o := &in.outcome
	if in.label.isHealthy() {
		lead := o.leads > 0 && !o.alarm
		r.programs[1][in.program] = true
		r.well++
		r.alarms += one(o.alarmed)
		r.leads += one(lead)
		r.strong += one(lead && o.certainty != schema.OnlySuspect)
		return
	}
	r.all++
	r.accused += one(o.accused)
	if in.hidden {
		return
	}
	r.programs[0][in.program] = true
	r.faulty++
	r.answer1 += one(o.lead == 1)
	r.answer3 += one(among3(o.lead))
	r.named += one(o.named)
	r.detailed += one(o.named && len(in.label.says) > 0)
	r.whole += one(o.whole && len(in.label.says) > 0)
	r.silent += one(o.leads == 0)
	if in.dump {
		r.dumps++
		r.naive += one(o.naive)
		r.beside1 += one(o.beside == 1)
		r.beside3 += one(among3(o.beside))
	}
	if r.forms != nil {
		if r.forms[in.form] == nil {
			r.forms[in.form] = &row{programs: r.programs}
		}
		r.forms[in.form].count(in)
	}
}

func among3(place int) bool { return 1 <= place && place <= 3 }

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// plus adds another row.
func (r *row) plus(o *row) {
	for i, programs := range o.programs {
		for program := range programs {
			r.programs[i][o.population+"/"+program] = true
		}
	}
	for _, f := range [][2]*int{{&r.faulty, &o.faulty}, {&r.answer1, &o.answer1}, {&r.answer3, &o.answer3},
		{&r.named, &o.named}, {&r.detailed, &o.detailed}, {&r.whole, &o.whole}, {&r.silent, &o.silent}, {&r.dumps, &o.dumps},
		{&r.naive, &o.naive}, {&r.beside1, &o.beside1}, {&r.beside3, &o.beside3}, {&r.all, &o.all}, {&r.accused, &o.accused},
		{&r.well, &o.well}, {&r.alarms, &o.alarms}, {&r.leads, &o.leads}, {&r.strong, &o.strong}} {
		*f[0] += *f[1]
	}
}

// A figure is one that is measured of a row: how many of how many inputs.
type figure struct {
	name    string
	healthy bool // of inputs without a fault
	counted bool // shown as a number, not as a share
	held    int  // 1 if more is better and less fails, -1 if less is better, 0 if it is only shown
	of      func(r *row) (n, all int)
}

// figures are those of the page, in the order of its columns.
var figures = []figure{
	{"answer1", false, false, 1, func(r *row) (int, int) { return r.answer1, r.faulty }},
	{"answer3", false, false, 1, func(r *row) (int, int) { return r.answer3, r.faulty }},
	{"named", false, false, 1, func(r *row) (int, int) { return r.named, r.faulty }},
	{"details", false, false, 1, func(r *row) (int, int) { return r.whole, r.detailed }},
	{"silent", false, false, 0, func(r *row) (int, int) { return r.silent, r.faulty }},
	{"accused", false, true, -1, func(r *row) (int, int) { return r.accused, r.all }},
	{"beside1", false, false, 0, func(r *row) (int, int) { return r.beside1, r.dumps }},
	{"beside3", false, false, 1, func(r *row) (int, int) { return r.beside3, r.dumps }},
	{"largest", false, false, 0, func(r *row) (int, int) { return r.naive, r.dumps }},
	{"alarms", true, true, -1, func(r *row) (int, int) { return r.alarms, r.well }},
	{"leads", true, false, 0, func(r *row) (int, int) { return r.leads, r.well }},
	{"strong", true, false, 0, func(r *row) (int, int) { return r.strong, r.well }},
}

// cell is a figure of a row as a table shows it.
func (f *figure) cell(r *row) string {
	n, all := f.of(r)
	switch {
	case all == 0:
		return ""
	case f.counted:
		return fmt.Sprint(n)
	}
	return share(n, all)
}

// share is "83%".
func share(n, all int) string { return fmt.Sprintf("%.0f%%", 100*float64(n)/float64(max(1, all))) }
