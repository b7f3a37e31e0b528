package mcp

import (
	"context"
	"errors"
	"testing"
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
