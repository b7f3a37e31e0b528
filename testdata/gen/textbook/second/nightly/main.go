// Nightly is a batch job without a server. main ranges over the results of a run, and nobody closes them when the last
// worker is done, so all goroutines are asleep.
package main

import (
	"fmt"
	"log"
	"os"
	"strings"

	"example.com/textbook/second/nightly/batch"
	"example.com/textbook/second/nightly/books"
)

type summary struct {
	accounts, cents int
	late            []string
}

func (s *summary) add(r batch.Result) {
	s.accounts++
	s.cents += r.Interest
	if r.Late {
		s.late = append(s.late, r.Account)
	}
}

func (s *summary) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d accounts, %d.%02d interest\n", s.accounts, s.cents/100, s.cents%100)
	for _, l := range s.late {
		fmt.Fprintln(&b, "late:", l)
	}
	return b.String()
}

func night(seed int) *summary {
	ledger := books.Load(seed, 200)
	run := batch.Start(ledger, 4)
	s := new(summary)
	for r := range run.Results() {
		s.add(r)
	}
	run.Stop()
	return s
}

func main() {
	log.SetPrefix("nightly ")
	log.Print("started")
	fmt.Fprint(os.Stdout, night(1))
	log.Print("done")
}
