package objects

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// manyFailedRuns in a row, with no success in between, are no chance any more. Chosen.
const manyFailedRuns = 3

// runJobGaveUp is job-gave-up (TR787).
func runJobGaveUp(c *kube.Cluster) []rules.Finding {
	var makers grouping[kube.Ref, *kube.Workload]
	for _, w := range c.Workloads {
		if w.Kind == "Job" && !w.Gone && w.Deleted.IsZero() {
			ref := w.Ref
			if w.Owner.Kind == "CronJob" {
				ref = kube.Ref{API: "batch/v1", Kind: "CronJob", Namespace: w.Namespace, Name: w.Owner.Name}
			}
			ref.UID = ""
			makers.add(ref, w)
		}
	}
	var found []rules.Finding
	for _, ref := range makers.keys {
		if failed := failedRuns(c, ref, makers.values[ref]); len(failed) > 0 {
			found = append(found, jobGaveUp(c, ref, failed))
		}
	}
	return found
}

// failedRuns are the newest Jobs that failed, the last one first, since the last success; none where the last run
// succeeded, or where it was long ago.
func failedRuns(c *kube.Cluster, ref kube.Ref, jobs []*kube.Workload) []*kube.Workload {
	slices.SortStableFunc(jobs, func(a, b *kube.Workload) int { return b.Created.Compare(a.Created) })
	success := time.Time{}
	if w := c.Workload(ref.Kind, ref.Namespace, ref.Name); w != nil {
		success = w.LastSuccess
	}
	var failed []*kube.Workload
	for _, j := range jobs {
		cond := kube.Find(j.Conditions, "Failed")
		done := kube.Find(j.Conditions, "Complete")
		switch {
		case done != nil && done.Status == "True", cond != nil && cond.Since.Before(success):
			return failed
		case cond != nil && cond.Status == "True" && since(c, cond.Since) < lately:
			failed = append(failed, j)
		}
	}
	return failed
}

func jobGaveUp(c *kube.Cluster, ref kube.Ref, failed []*kube.Workload) rules.Finding {
	last, first := failed[0], failed[len(failed)-1]
	cond := kube.Find(last.Conditions, "Failed")
	f := finding(ref, rules.Low, rules.ConfHigh, len(failed), first.Created, cond.Since)
	f.Title = title(ref, "failed: "+cond.Reason)
	f.Why = fmt.Sprintf("%s has failed (%s): %s. Nothing starts it again.", kindName(last.Ref), cond.Reason,
		phrase.Quoted(cond.Message))
	if ref.Kind == "CronJob" {
		f.Title = title(ref,
			fmt.Sprintf("fails: its last %s ended with %s", phrase.Count(len(failed), "run"), cond.Reason))
		f.Why = fmt.Sprintf("The last %s of %s failed, and none succeeded since (%s).",
			phrase.Count(len(failed), "run"), kindName(ref), cond.Reason)
		if len(failed) >= manyFailedRuns {
			f.Severity = rules.Medium
		}
	}
	for _, j := range failed[:min(len(failed), maxObjectEvidence)] {
		d := kube.Find(j.Conditions, "Failed")
		f.Evidence = append(f.Evidence, evidence(j.At, d.Since, 1, "%s: Failed: %s: %s", kindName(j.Ref), d.Reason,
			d.Message))
	}
	for _, p := range c.Pods {
		if p.Gone || p.Owner.Kind != "Job" || p.Namespace != last.Namespace || p.Owner.Name != last.Name {
			continue
		}
		for i := range p.Containers {
			if t := cmp.Or(p.Containers[i].Now, p.Containers[i].Last); t != nil && t.Exit != 0 {
				f.Why += fmt.Sprintf(" Its container %s ended with %s.", p.Containers[i].Name, exitText(t))
				f.Next = []rules.Step{rules.Command(kubectlIn(p.Namespace, "logs "+rules.Quote(p.Name)+" -c "+
					rules.Quote(p.Containers[i].Name)+" --tail=50"))}
				break
			}
		}
		break
	}
	f.Fix = fmt.Sprintf("Read the log of the last pod of %s, and correct what ends it.", kindName(last.Ref))
	f.Next = append(f.Next, rules.Command(kubectlOn(last.Ref, "describe", "")))
	return f
}

// A CronJob is held by a run of its own for so many of its periods, and so long, at least. Chosen.
const (
	heldPeriods = 3
	heldAtLeast = time.Hour
)

// runCronHeld is cron-held (TR788).
func runCronHeld(c *kube.Cluster) []rules.Finding {
	active := map[[2]string]*kube.Workload{} // the oldest Job at work of each CronJob
	for _, w := range c.Workloads {
		if _, ended := finishedAt(w); w.Kind != "Job" || w.Gone || w.Owner.Kind != "CronJob" || ended {
			continue
		}
		k := [2]string{w.Namespace, w.Owner.Name}
		if old := active[k]; old == nil || w.Created.Before(old.Created) {
			active[k] = w
		}
	}
	var found []rules.Finding
	for _, w := range c.Workloads {
		j := active[[2]string{w.Namespace, w.Name}]
		period := cronPeriod(w.Schedule)
		if w.Kind != "CronJob" || w.Gone || !w.Deleted.IsZero() || w.Suspended || w.Concurrency != "Forbid" ||
			j == nil || period == 0 || since(c, j.Created) < max(heldAtLeast, heldPeriods*period) {
			continue
		}
		found = append(found, cronHeld(c, w, j, period))
	}
	return found
}

// cronPeriod is how often a schedule comes, as far as its first two fields show it ("*/10 * * * *", "5 * * * *",
// "0 3 * * *", "@hourly"); 0 for others.
func cronPeriod(schedule string) time.Duration {
	switch schedule {
	case "@hourly":
		return time.Hour
	case "@daily", "@midnight":
		return 24 * time.Hour
	}
	f := strings.Fields(schedule)
	if len(f) != 5 || f[2] != "*" || f[3] != "*" || f[4] != "*" {
		return 0
	}
	every := func(s string, unit, all time.Duration) time.Duration {
		if s == "*" {
			return unit
		}
		if n, err := strconv.Atoi(strings.TrimPrefix(strings.TrimPrefix(s, "*"), "/")); err == nil && n > 0 &&
			s[0] == '*' {
			return min(time.Duration(n)*unit, all)
		} else if _, err := strconv.Atoi(s); err == nil {
			return all
		}
		return 0
	}
	minute, hour := every(f[0], time.Minute, time.Hour), every(f[1], time.Hour, 24*time.Hour)
	switch {
	case minute == 0 || hour == 0:
		return 0
	case minute < time.Hour && hour == time.Hour:
		return minute
	}
	return hour
}

func cronHeld(c *kube.Cluster, w, j *kube.Workload, period time.Duration) rules.Finding {
	lasts := since(c, j.Created)
	f := finding(w.Ref, rules.Medium, rules.ConfHigh, int(lasts/period), j.Created, c.Time)
	f.Title = title(w.Ref, fmt.Sprintf("has not run for %s: Job %s does not end", phrase.Spell(lasts), j.Name),
		"does not run: its last Job does not end")
	f.Why = fmt.Sprintf("%s (%s) has concurrencyPolicy Forbid, and its %s has been at work for %s: each run since "+
		"was left out, %d of them.", kindName(w.Ref), w.Schedule, kindName(j.Ref), phrase.Spell(lasts),
		int(lasts/period))
	f.Evidence = []rules.Evidence{
		evidence(w.At, w.Written, 1, "CronJob: schedule %s, concurrencyPolicy %s", w.Schedule, w.Concurrency),
		evidence(j.At, j.Created, 1, "%s: not ended, %d active", kindName(j.Ref), j.Active)}
	for _, e := range c.EventsOf("CronJob", w.Namespace, w.Name) {
		if e.Reason == "JobAlreadyActive" {
			f.Evidence = append(f.Evidence, evidence(e.At, e.Last, e.Count, "Event %s: %s", e.Reason, e.Message))
		}
	}
	f.Objects = []rules.Object{*objectOf(j.Ref)}
	f.Fix = fmt.Sprintf("Find why %s does not end (its pod's log, a goroutine dump); give the Jobs of %s an "+
		"activeDeadlineSeconds.", kindName(j.Ref), kindName(w.Ref))
	f.Next = rules.Commands(kubectlIn(w.Namespace, "logs job/"+rules.Quote(j.Name)+" --tail=50"),
		kubectlOn(j.Ref, "describe", ""))
	return f
}

// unsignedLong is how long a request may wait: a person approves those of nodes that join. Chosen.
const unsignedLong = time.Hour

// runSigningWaits is signing-request-waits (TR789).
// The controller manager deletes requests that nobody answered after a day.
func runSigningWaits(c *kube.Cluster) []rules.Finding {
	var users grouping[string, *kube.Other]
	for _, o := range c.Others {
		if o.Kind == "CertificateSigningRequest" && !o.Gone && since(c, o.Created) >= unsignedLong &&
			since(c, o.Created) < lately && len(o.Conditions) == 0 {
			users.add(o.User, o)
		}
	}
	return users.findings(func(user string, os []*kube.Other) rules.Finding {
		o := os[0]
		f := finding(o.Ref, rules.Low, rules.ConfMedium, len(os), o.Created, c.Time)
		f.Title = title(o.Ref, "has waited for "+phrase.Spell(since(c, o.Created))+" to be approved")
		f.Why = fmt.Sprintf("%s of %s was neither approved nor denied: what asks for the certificate (a kubelet, for "+
			"its serving certificate or its next one) goes on without.", kindName(o.Ref), cmp.Or(user, "a client"))
		if len(os) > 1 {
			f.Why += fmt.Sprintf(" So were %s of it.", phrase.Count(len(os)-1, "other"))
		}
		f.Evidence = []rules.Evidence{evidence(o.At, o.Created, len(os), "%s by %s, no conditions", kindName(o.Ref),
			user)}
		f.Fix = "See who should approve it (an approver for this signerName), and approve it if it is genuine."
		f.Next = rules.Commands("kubectl describe csr "+rules.Quote(o.Name), "kubectl get csr")
		return f
	})
}
