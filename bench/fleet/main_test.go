package main

import (
	"os"
	"strings"
	"testing"

	"github.com/gotriage/triage/bench/internal/run"
)

func TestAFleetIsJudgedInPartsAndMergedToTheSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("builds triage")
	}
	t.Chdir("..")
	*kilobytes, *part = 50, 7
	m := meter{}
	var err error
	m.work, m.triage, m.fleet, err = run.Programs("fleet")
	defer os.RemoveAll(m.work)
	if err != nil {
		t.Fatal(err)
	}
	row, err := m.row(30)
	if err != nil || !strings.HasPrefix(row, "| 30 | 0.00 | 5 |") || !strings.HasSuffix(row, "| the same |") {
		t.Errorf("%v: %s", err, row)
	}
}
