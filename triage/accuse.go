package triage

import (
	"github.com/gotriage/triage/rules/dump/spin"
	"github.com/gotriage/triage/triage/schema"
)

// accuseInAllDumps accuses running goroutines in all dumps of a process in one of which a finding accuses them: between
// two dumps a loop is at another of its lines, which makes its goroutine no other.
func accuseInAllDumps(dumps []schema.Dump) {
	type of struct {
		process   string
		goroutine uint64
	}
	reasons := map[of]string{}
	each := func(do func(process string, r *schema.Runnable)) {
		for i := range dumps {
			for k := range dumps[i].Runnable {
				if r := &dumps[i].Runnable[k]; dumps[i].Process != "" && r.Count == 1 && len(r.Goroutines) == 1 {
					do(dumps[i].Process, r)
				}
			}
		}
	}
	each(func(process string, r *schema.Runnable) {
		if r.Verdict == spin.VerdictAccused {
			reasons[of{process, r.Goroutines[0]}] = r.Reason
		}
	})
	each(func(process string, r *schema.Runnable) {
		if reason := reasons[of{process, r.Goroutines[0]}]; reason != "" && r.Verdict == spin.VerdictWatch {
			r.Verdict, r.Reason = spin.VerdictAccused, reason
		}
	})
}
