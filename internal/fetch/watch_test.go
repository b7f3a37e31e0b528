package fetch

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

func watchOptions(t testing.TB, h http.Handler) Options {
	t.Helper()
	o := options(t, server(t, h).URL)
	o.Plan = Plan{Only: []string{ItemHeap}}
	return o
}

func TestWatchKeepsTheLastCapturesAndStopsWhenJudgeDoes(t *testing.T) {
	o := watchOptions(t, served(DefaultPrefix))
	var seen [][]string
	w, err := Watch(t.Context(), o, WatchOptions{Keep: 2, Judge: func(_ context.Context, kept []string) (bool, string, error) {
		var names []string
		for _, k := range kept {
			names = append(names, filepath.Base(k))
			if _, err := os.Stat(filepath.Join(k, ManifestFile)); err != nil {
				t.Error(err)
			}
		}
		seen = append(seen, names)
		return len(seen) == 4, "because", nil
	}})
	if err != nil || !w.Stopped || w.Interrupted || w.Rounds != 4 || w.Path != o.Out {
		t.Fatalf("%+v, %v", w, err)
	}
	want := [][]string{{"0001"}, {"0001", "0002"}, {"0002", "0003"}, {"0003", "0004"}}
	if !slices.EqualFunc(seen, want, slices.Equal) {
		t.Errorf("judged %q", seen)
	}
	entries, err := os.ReadDir(w.Path)
	if err != nil || len(entries) != 2 || entries[0].Name() != "0003" {
		t.Errorf("%v, %v", entries, err)
	}
}

func TestWatchGoesOnWhereALaterCaptureFails(t *testing.T) {
	var asked atomic.Int32
	o := watchOptions(t, instead(map[string]http.HandlerFunc{"heap": func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) == 2 {
			http.Error(w, "restarting", http.StatusServiceUnavailable)
			return
		}
		_, _ = w.Write(goroutineProfile(1))
	}}))
	var rounds []string
	o.Events = func(e Event) {
		if e.Kind == EventRound {
			rounds = append(rounds, e.Text)
		}
	}
	w, err := Watch(t.Context(), o, WatchOptions{Keep: 5, Judge: func(_ context.Context, kept []string) (bool, string, error) {
		return len(kept) == 2, "fine", nil
	}})
	if err != nil || w.Rounds != 3 || len(w.Kept) != 2 || len(rounds) != 3 || rounds[0] != "fine" || rounds[1][:7] != "failed:" {
		t.Errorf("%+v, %v, %q", w, err, rounds)
	}
}

func TestWatchWhoseFirstCaptureFailsLeavesNothing(t *testing.T) {
	o := watchOptions(t, http.NotFoundHandler())
	_, err := Watch(t.Context(), o, WatchOptions{Keep: 1})
	if _, ok := errors.AsType[*Error](err); !ok {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(o.Out); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s is there: %v", o.Out, err)
	}
}

func TestCtrlCEndsAWatchAndKeepsItsCaptures(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	o := watchOptions(t, served(DefaultPrefix))
	o.clock.wait = func(ctx context.Context, _ time.Duration) error {
		cancel() // between two captures
		<-ctx.Done()
		return ctx.Err()
	}
	w, err := Watch(ctx, o, WatchOptions{Keep: 3})
	if err != nil || !w.Interrupted || w.Stopped || len(w.Kept) != 1 {
		t.Errorf("%+v, %v", w, err)
	}
}

func TestAWatchThatCannotBeFollowedIsRefused(t *testing.T) {
	o := watchOptions(t, served(DefaultPrefix))
	if _, err := Watch(t.Context(), o, WatchOptions{}); err == nil {
		t.Error("it kept nothing")
	}
	o.Out += ".zip"
	if _, err := Watch(t.Context(), o, WatchOptions{Keep: 1}); err == nil {
		t.Error("an archive of folders that come and go")
	}
}
