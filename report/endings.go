package report

import (
	"github.com/gotriage/triage/triage/schema"
)

// endingsOf are the endings of the goroutines of a role, where all of them wait at one place.
func endingsOf(latest []*schema.Dump, role string) (ends []schema.Ending) {
	seen := false
	for _, d := range latest {
		for b := range pointers(d.Buckets) {
			if b.Role != role {
				continue
			}
			if seen && schema.EndingsText(ends) != schema.EndingsText(b.Ends) {
				return nil
			}
			ends, seen = b.Ends, true
		}
	}
	return ends
}
