package wait

import (
	"fmt"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// Thresholds of threadPileUp. The runtime ends the process at 10,000 threads (debug.SetMaxThreads), containers often
// earlier: CRI-O's pids_limit was 1,024 by default, OpenShift's podPidsLimit is 4,096, and threads count. 500 is what
// the standard library allows itself for look-ups in C (net.concurrentThreadsLimit), and a thread's stack takes 8 MiB
// of address space.
const (
	manyThreads    = 500
	tooManyThreads = 1000
)

// threadPileUp is threads-pile-up (TR438).
func threadPileUp() *rules.Rule {
	return dumpRule("TR438", "threads-pile-up", rules.Leak, rules.Medium, func(p *rules.Pass) []rules.Finding {
		var found []rules.Finding
		for _, d := range p.AskedDumps() {
			if d.Goroutines >= manyThreads {
				found = append(found, threadFindings(p, d)...)
			}
		}
		return found
	})
}

func threadFindings(p *rules.Pass, d *rules.DumpInput) []rules.Finding {
	byKey := map[string]*waiters{}
	var all []*waiters
	locked := map[*waiters]bool{}
	for _, h := range ThreadHolders(d) {
		bl := rules.BlameBucket(d, h.Bucket)
		key := rules.Fingerprint("TR438", bl.Culprit, bl.Creator)
		w := byKey[key]
		if w == nil {
			w = &waiters{dumpIndex: &dumpIndex{p: p, d: d}, blame: bl}
			byKey[key] = w
			all = append(all, w)
		}
		w.add(h.Bucket, len(h.Goroutines))
		locked[w] = locked[w] || h.Goroutines[0].Flags&stackparse.FlagLocked != 0
	}
	var found []rules.Finding
	for _, w := range all {
		if w.count < manyThreads {
			continue
		}
		ch := account{
			level: level{rules.Low, rules.ConfLow},
			act:   fmt.Sprintf("holds %d threads %s%s", w.count, threadUse(w, locked[w]), w.span()),
			why: fmt.Sprintf("%s of %s are %s%s, and each holds a thread. The runtime ends the process at 10,000 "+
				"threads, a container's limit on pids may be lower.", phrase.CountGoroutines(w.count), w.in(),
				threadUse(w, locked[w]), w.span()),
			fix: w.fill("Bound how many goroutines {in} has at a time (golang.org/x/sync/semaphore, a buffered " +
				"channel), and give what it calls a timeout."),
			next: rules.Commands("ls /proc/PID/task | wc -l", "cat /sys/fs/cgroup/pids.max"),
		}
		if w.count >= tooManyThreads {
			ch.level = level{rules.Medium, rules.ConfMedium}
		}
		found = append(found, w.finding(ch))
	}
	return found
}

func threadUse(w *waiters, locked bool) string {
	switch {
	case locked:
		return "locked to them"
	case w.buckets[0].Class == stackparse.ClassCgo:
		return "in C"
	}
	return "in system calls"
}
