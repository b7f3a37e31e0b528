package page

import (
	"fmt"
	"os"
	"strings"
)

// A readmeRow is a row of the README's table: its title, the input of the comparison that it is about, and what the
// peers' cells say, with %s for a rate.
type readmeRow struct{ title, input, panicparse, gostackparse string }

// readmeRows are the rows that compare rates.
func readmeRows() []readmeRow {
	return []readmeRow{
		{"a dump of Go 1.18, MB/s, collapsed", "founding", "%s", "%s, not collapsed"},
		{"the same behind CRI prefixes", "founding, CRI", "finds no goroutine", "finds no goroutine"},
		{"a signal's dump of Go 1.26, MB/s", "controller, Go 1.26, signal", "%s", "finds no goroutine"},
	}
}

// ReadmeInputs are the names of the inputs whose rates the README has.
func ReadmeInputs() []string {
	var names []string
	for _, r := range readmeRows() {
		names = append(names, r.input)
	}
	return names
}

// Readme is the block "speed" of README.md, made of the blocks of docs/performance.md.
func Readme(performance []byte) (string, error) {
	parsers, err := Get(performance, "parsers")
	if err != nil {
		return "", err
	}
	whole, err := Get(performance, "whole")
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("| | triage | panicparse 2.5 | gostackparse 0.7 |\n|---|---|---|---|\n")
	for _, r := range readmeRows() {
		cells := []string{"%s", r.panicparse, r.gostackparse}
		for i, contender := range []string{"triage", "panicparse-AnyValue", "gostackparse"} {
			if strings.Contains(cells[i], "%s") {
				rates, err := row(parsers, r.input, contender)
				if err != nil {
					return "", err
				}
				cells[i] = fmt.Sprintf(cells[i], rates[3])
			}
		}
		fmt.Fprintf(&b, "| %s | %s |\n", r.title, strings.Join(cells, " | "))
	}
	b.WriteString("| its 747 goroutines become | 31 stacks | 616 | - |\n| names a culprit | yes | no | no |\n\n")
	triage, err := row(whole, "`triage BIG`")
	if err != nil {
		return "", err
	}
	fmt.Fprintf(&b, "Rates are over the processor time of all threads. A log of 1 GB with 868,000 goroutines takes "+
		"%s seconds and %s MB of memory", triage[1], triage[3])
	if rg, err := row(whole, "`rg -c '^goroutine ' BIG`"); err == nil { // not every machine has it
		fmt.Fprintf(&b, "; `rg -c '^goroutine '` takes %s", rg[1])
	}
	b.WriteString(".")
	return b.String(), nil
}

// row returns the cells of the first row of a table that begins with these.
func row(block string, first ...string) ([]string, error) {
	for line := range strings.Lines(block) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if len(cells) > len(first) && strings.Join(cells[:len(first)], "|") == strings.Join(first, "|") {
			return cells, nil
		}
	}
	return nil, fmt.Errorf("no row %q", first)
}

// PutReadme writes the block of the README beside the folder of the document anew.
func PutReadme(readme, performance string) error {
	doc, err := os.ReadFile(performance)
	if err != nil {
		return fmt.Errorf("reading the document: %w", err)
	}
	text, err := Readme(doc)
	if err != nil {
		return fmt.Errorf("%s: %w", performance, err)
	}
	return Put(readme, "speed", text)
}
