package accuracy

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"testing"
)

var (
	update  = flag.Bool("update", false, "write docs/accuracy.md")
	only    = flag.String("population", "", "measure one population only, and print its figures")
	half    = flag.String("half", "", "measure one half of the populations only, and print its figures")
	program = flag.String("program", "", "of open halves: measure one program only, and print what is said about it")
	misses  = flag.Bool("misses", false, "print what is missed in open halves")
)

// closed are the halves with which triage is measured and nothing is developed: nothing that is printed names a case of
// theirs.
var closed = []string{"second", "fifth", "unseen", "b"}

func populations(t *testing.T) []*batch {
	var all []*batch
	all = append(all, published(t, "published bugs", wildDir)...)
	all = append(all, published(t, "published bugs, half an hour old", agedDir+"/lab")...)
	all = append(all, tempting(t, "healthy programs", wildDir)...)
	all = append(all, tempting(t, "healthy programs, half an hour old", agedDir+"/lab")...)
	all = append(all, servers(t, "real servers")...)
	all = append(all, aged(t, "programs of twenty minutes")...)
	for _, l := range serviceLists {
		all = append(all, l.batches(t)...)
	}
	all = append(all, coded(t, "small programs")...)
	all = append(all, busy(t, "busy services")...)
	all = append(all, clusters(t, "clusters")...)
	return all
}

func TestAccuracyIsAsDocumented(t *testing.T) {
	all := slices.DeleteFunc(populations(t), func(b *batch) bool {
		return *only != "" && b.population != *only || *half != "" && b.half != *half
	})
	replay(t, all)
	for _, b := range all {
		for _, in := range b.judged {
			if (*misses || *program == in.program) && !slices.Contains(closed, b.half) {
				in.print(os.Stdout, b)
			}
		}
	}
	fmt.Print(table(rowsOf(all)))
}
