package sources

import (
	"fmt"
	"sync"

	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/triage/schema"
)

// maxLogs bounds what the patterns of all logs take, in bytes as logpattern.Log.Size counts them. Four must-gathers of
// 571,468 lines take 9 MB, a bundle of 10,000 logs of 7 kB some 20.
const maxLogs = 64 << 20

// A patternBudget keeps the patterns of all logs that weigh most. Where they have no room, those below a weight are
// dropped, which doubles until the others have: so what is kept doesn't depend on which log is read first.
type patternBudget struct {
	most int

	mu    sync.Mutex
	used  int
	least int64 // the weight
	logs  []*logpattern.Log
}

// add takes the log of a source that was read, nil for none, and drops patterns that have no room now.
func (r *patternBudget) add(l *logpattern.Log) {
	if l == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	l.Trim(r.least)
	if len(l.Patterns) == 0 {
		return
	}
	r.logs = append(r.logs, l)
	r.used += l.Size()
	for r.used > r.most {
		r.raise()
	}
}

func (r *patternBudget) raise() {
	r.least = max(4, 2*r.least)
	r.used = 0
	kept := r.logs[:0]
	for _, l := range r.logs {
		if l.Trim(r.least); len(l.Patterns) > 0 {
			r.used += l.Size()
			kept = append(kept, l)
		}
	}
	clear(r.logs[len(kept):])
	r.logs = kept
}

// skipped reports what was dropped, at the first log that lost something.
func (r *patternBudget) skipped(results []*Result) []schema.Skipped {
	path, logs, patterns := "", 0, 0
	for _, result := range results {
		if result.Log == nil || result.Log.Cut.Light == 0 {
			continue
		}
		if logs++; logs == 1 {
			path = FirstPath(result.Source)
		}
		patterns += result.Log.Cut.Light
	}
	if logs == 0 {
		return nil
	}
	return []schema.Skipped{{
		Path: path,
		Reason: fmt.Sprintf("patterns left out because they have fewer than %d lines: %d; logs affected, from this "+
			"one on: %d; the logs contain more distinct lines than fit in memory (%d MiB)",
			r.least, patterns, logs, r.most>>20),
		Hint: "select logs with --only or --skip, or give triage fewer at a time",
	}}
}
