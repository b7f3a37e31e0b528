//go:build unix

package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/gotriage/triage/bench"
)

// framings measures triage over one dump, plain and behind each framing, in turns: rates of two inputs that are
// measured minutes apart compare the machine's other work.
func framings(w io.Writer, inputs []bench.Input, rounds int) error {
	triage := bench.Contenders()[0]
	var rows []row
	var texts [][]byte
	for _, in := range inputs {
		if in.Name == inputs[0].Name || in.Framed {
			rows = append(rows, row{name: strings.TrimPrefix(in.Name, inputs[0].Name+", ")})
			texts = append(texts, in.Text())
		}
	}
	rows[0].name = "none"
	for range rounds {
		for i, text := range texts {
			if err := rows[i].measure(triage, text); err != nil {
				return fmt.Errorf("framing %s: %w", rows[i].name, err)
			}
		}
	}
	fmt.Fprintln(w, "| framing | MB | MB/s, wall | MB/s, CPU | plain to it, wall | CPU |")
	fmt.Fprintln(w, "|---|--:|--:|--:|--:|--:|")
	for i := range rows {
		r := &rows[i]
		fmt.Fprintf(w, "| %s | %.0f | %.0f | %.0f | %.2f | %.2f |\n", r.name, float64(len(texts[i]))/1e6,
			median(r.wall), median(r.cpu), median(ratios(rows[0].wall, r.wall)), median(ratios(rows[0].cpu, r.cpu)))
	}
	return nil
}
