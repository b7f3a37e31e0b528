package audit

import (
	"cmp"
	"slices"
	"strings"
)

// Runs are the Jobs that the CronJob controller made for one CronJob.
type Runs struct {
	Namespace, Name string
	Created         int
	Deleted         int
	Finished        int // as bodies show it
	// Statuses is how often a Job's status was written with a body, Updates how often the CronJob's was: once when a
	// Job is made, once when it is done.
	Statuses, Updates int
	First, Last       int64
	FirstWrite        int32
	LastWrite         int32
}

// cronJobs counts the runs of each CronJob. Jobs are called NAME-MINUTES (pkg/controller/cronjob, getJobName).
func (t *Trail) cronJobs() {
	of := map[objectName]*Runs{}
	var order []*Runs
	finished := map[int32]bool{}
	for i := range t.Writes {
		w := &t.Writes[i]
		o := &t.Objects[w.Object]
		if !w.OK() || o.Resource != "jobs" && o.Resource != "cronjobs" {
			continue
		}
		name := o.Name
		if o.Resource == "jobs" {
			if name = cronJobOf(o.Name); name == "" {
				continue
			}
		}
		k := objectName{"", o.Namespace, name}
		r := of[k]
		if r == nil {
			if len(of) == maxCreationGroups {
				continue
			}
			r = &Runs{Namespace: o.Namespace, Name: name, FirstWrite: int32(i), First: w.Time}
			of[k] = r
			order = append(order, r)
		}
		switch {
		case o.Resource == "cronjobs":
			if t.Texts[w.Sub] == "status" {
				r.Updates++
			}
		case w.Verb == VerbCreate && w.Sub == 0:
			if r.Created++; r.Created == 1 {
				r.FirstWrite, r.First = int32(i), w.Time
			}
			r.LastWrite, r.Last = int32(i), w.Time
		case w.Verb == VerbDelete && w.Sub == 0:
			r.Deleted++
		case w.Flags&FlagJobStatus != 0:
			r.Statuses++
			if w.Flags&FlagJobDone != 0 && !finished[w.Object] {
				finished[w.Object] = true
				r.Finished++
			}
		}
	}
	for _, r := range order {
		if r.Created > 1 {
			t.Runs = append(t.Runs, *r)
		}
	}
	slices.SortStableFunc(t.Runs, func(a, b Runs) int { return cmp.Compare(b.Created, a.Created) })
}

// cronJobOf is the CronJob whose run a Job's name is; "" for others.
func cronJobOf(job string) string {
	i := strings.LastIndexByte(job, '-')
	if i <= 0 || len(job)-i-1 < 8 || strings.Trim(job[i+1:], "0123456789") != "" {
		return ""
	}
	return job[:i]
}
