package accuracy

import (
	"fmt"
	"hash/fnv"
	"io"
	"path/filepath"
	"strings"

	"github.com/gotriage/triage/triage/schema"
)

// A row has the figures of one half of a population.
type row struct {
	population, half string
	programs         map[string]bool

	guilty, answer1, answer3, named, silent int // of inputs that can show the fault
	dumps, naive                            int // of those that are dumps: the largest group without a role
	mixed, mixed1, mixed3                   int // of those that are dumps, beside the dump of a busy service
	all, accused                            int // of inputs with a fault, whether they can show it or not
	well, alarms, leads, strong             int
}

// rowsOf are the rows of the batches, in their order.
func rowsOf(batches []*batch) (rows []*row) {
	at := map[[2]string]*row{}
	for _, b := range batches {
		key := [2]string{b.population, b.half}
		r := at[key]
		if r == nil {
			r = &row{population: b.population, half: b.half, programs: map[string]bool{}}
			at[key], rows = r, append(rows, r)
		}
		for _, in := range b.judged {
			r.programs[in.program] = true
			r.count(in)
		}
	}
	return rows
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (r *row) count(in *input) {
	o := &in.outcome
	if in.label.isHealthy() {
		r.well++
		r.alarms += one(o.alarmed)
		r.leads += one(o.leads > 0 && !o.alarm)
		r.strong += one(o.leads > 0 && !o.alarm && o.certainty != schema.OnlySuspect)
		return
	}
	r.all++
	r.accused += one(o.accused)
	if in.hidden {
		return
	}
	r.guilty++
	r.answer1 += one(o.lead == 1)
	r.answer3 += one(o.lead >= 1 && o.lead <= 3)
	r.named += one(o.named)
	r.silent += one(o.leads == 0)
	if in.dump {
		r.dumps++
		r.naive += one(o.naive)
		r.mixed++
		r.mixed1 += one(o.beside == 1)
		r.mixed3 += one(o.beside >= 1 && o.beside <= 3)
	}
}

// share is "83%", or "" of nothing.
func share(n, all int) string {
	if all == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f%%", 100*float64(n)/float64(all))
}

// of is "83% (20)".
func count(n, all int) string {
	if all == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// table prints rows.
func table(rows []*row) string {
	var b strings.Builder
	b.WriteString("| population | half | programs | faulty | first | three | naive | mixed first | three | named | silent | accused | healthy | alarms | leads | strong |\n" +
		"|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %s | %s | %s | %s | %s | %s | %s | %s | %d | %s | %s | %s |\n", r.population, r.half, len(r.programs),
			r.guilty, share(r.answer1, r.guilty), share(r.answer3, r.guilty), share(r.naive, r.dumps), share(r.mixed1, r.mixed), share(r.mixed3, r.mixed),
			share(r.named, r.guilty), count(r.silent, r.guilty), count(r.accused, r.all),
			r.well, count(r.alarms, r.well), share(r.leads, r.well), share(r.strong, r.well))
	}
	return b.String()
}

// print prints what is wrong about an input.
func (in *input) print(w io.Writer, b *batch) {
	o := &in.outcome
	at := fmt.Sprintf("%s %s %s", b.population, b.half, in.name)
	switch {
	case o.loud != "":
		fmt.Fprintf(w, "%s\twrong alarm: %s\n", at, o.loud)
	case in.label.isHealthy() || in.hidden:
	case o.lead != 1:
		fmt.Fprintf(w, "%s\tplace %d, first is %q\n", at, o.lead, o.first)
	case !o.named:
		fmt.Fprintf(w, "%s\ttoo mild: %s\n", at, o.first)
	}
}

// busyServices are healthy programs with hundreds of goroutines.
var busyServices = []string{"chat", "proxy", "pubsub", "quotes", "rpcmux", "storefront"}

// busyDump is the dump of a healthy busy service: which one is decided by the input's name.
func busyDump(name string) string {
	h := fnv.New32a()
	h.Write([]byte(name))
	return filepath.Join(testdata, "well", busyServices[h.Sum32()%uint32(len(busyServices))], "debug2-01.txt.gz")
}
