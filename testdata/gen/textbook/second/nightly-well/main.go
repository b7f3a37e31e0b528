// Nightly is a batch job. main ranges over the results of one run after the other; they are closed when the last worker is
// done, and main waits for the next night.
package main

import (
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"example.com/textbook/kit"

	"example.com/textbook/second/nightly-well/batch"
	"example.com/textbook/second/nightly-well/books"
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
	kit.Start()
	log.Print("started")
	for n := 1; ; n++ {
		fmt.Fprint(os.Stdout, night(n))
		log.Print("done")
		time.Sleep(time.Second)
	}
}
