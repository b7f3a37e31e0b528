package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
	"github.com/gotriage/triage/triage/schema"
)

func TestDiff_ExitStatusCountsNewFindingsOnly(t *testing.T) {
	high := []rules.Finding{{Severity: rules.High, Confidence: rules.ConfMedium}}
	both := func(f schema.DiffFindings) *triage.Report {
		side := schema.DiffSide{Dumps: []schema.DiffDump{{}}}
		return &triage.Report{Diff: &schema.Diff{Before: side, After: side, Findings: f}}
	}
	oneSide := both(schema.DiffFindings{})
	oneSide.Diff.Before.Dumps = nil
	for name, c := range map[string]struct {
		r    *triage.Report
		want int
	}{
		"doubtful": {both(schema.DiffFindings{New: []rules.Finding{{Severity: rules.High, Confidence: rules.ConfLow}}}), exitOK},
		"new":      {both(schema.DiffFindings{New: high}), exitFindings},
		"gone":     {both(schema.DiffFindings{Gone: high}), exitOK},
		"both":     {both(schema.DiffFindings{Both: high}), exitOK},
		"one side": {oneSide, exitNothing},
	} {
		if got := exitCode(c.r, string(rules.High), false); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

func TestDiff_CtrlCReportsWhatCame(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.txt")
	if err := os.WriteFile(path, []byte("goroutine 1 [running]:\nmain.main()\n\tmain.go:3 +0x1d\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, format := range []string{"text", "json"} {
		code, out, errs := run(ctx, nil, "diff", "-o", format, path, path)
		if code != exitUnreadable || !strings.Contains(errs, "interrupted") || out == "" {
			t.Errorf("%s: exit %d, stderr %q, stdout %q", format, code, errs, out)
		}
	}
}
