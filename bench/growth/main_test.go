package main

import (
	"os"
	"strings"
	"testing"
)

func TestASeriesBecomesARowForEachSize(t *testing.T) {
	if testing.Short() {
		t.Skip("builds triage")
	}
	t.Chdir("..")
	var out strings.Builder
	if err := measureAll(&out, "profiles", false, 1); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(out.String(), "\n| a CPU profile |"); got != 3 {
		t.Errorf("%d rows for 1,000, 10,000 and 100,000 samples:\n%s", got, out.String())
	}
}

func TestAnUnknownSeriesIsAnErrorThatListsAll(t *testing.T) {
	err := measureAll(os.Stdout, "dump", false, 1)
	if err == nil || !strings.Contains(err.Error(), "audit") {
		t.Errorf("%v: no list of the series", err)
	}
}
