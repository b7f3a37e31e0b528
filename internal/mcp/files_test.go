package mcp

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/gotriage/triage/triage/schema"
)

func TestACallThatWaitsEndsWithItsContext(t *testing.T) {
	f, err := newFiles(Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	if err := f.lock(context.Background()); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if err := f.lock(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	f.unlock()
	if err := f.lock(context.Background()); err != nil {
		t.Error(err)
	}
}

func TestAComparisonSaysHowManyGroupsAreLeftOut(t *testing.T) {
	d := &schema.Diff{}
	for i := range maxChanges + 5 {
		d.Buckets = append(d.Buckets, schema.DiffBucket{After: i + 1})
	}
	if text := changes(d); !strings.Contains(text, "(5 more groups that changed are left out)") {
		t.Errorf("the changes are\n%s", text)
	}
}

func TestAnAnswerIsNotCutInsideABlock(t *testing.T) {
	block := untrusted([]string{strings.Repeat("x", maxBlock-100)})
	text := bounded("A\n" + block + "B\nEVIDENCE " + block)
	if !strings.HasSuffix(text, ">>>\nB\n"+cutNote) {
		t.Errorf("the answer ends with %q", text[len(text)-200:])
	}
	many := untrusted([]string{strings.Repeat("x", maxBlock), "y", "z"})
	if !strings.Contains(many, "lines are left out)\nuntrusted ") || len(many) > maxBlock+200 {
		t.Errorf("a block of %d bytes ends with %q", len(many), many[len(many)-200:])
	}
}
