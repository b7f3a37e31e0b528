package convert

import (
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

// A roleStarter is a role with the function that starts its goroutines.
type roleStarter struct {
	role    *rules.Role
	starter string
}

func startedRole(b *stackparse.Bucket, role *rules.Role) roleStarter {
	k := roleStarter{role: role}
	if b.CreatedBy != nil {
		k.starter = b.CreatedBy.Func
	}
	return k
}

// excessOf are the roles of which one function started more than a process usually has.
func excessOf(in *rules.DumpInput) map[roleStarter]bool {
	counts := map[roleStarter]int{}
	for i, b := range in.Buckets {
		if in.Roles[i] != nil {
			counts[startedRole(b, in.Roles[i])] += b.Count
		}
	}
	excess := map[roleStarter]bool{}
	for k, n := range counts {
		if n > k.role.Usual {
			excess[k] = true
		}
	}
	return excess
}
