package survey

import (
	"fmt"
	"net/url"
	"strconv"

	"github.com/gotriage/triage/internal/fetch"
	"github.com/gotriage/triage/internal/ingest/origin"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

func number(v float64) string    { return phrase.Number(int64(v)) }
func bytesText(v float64) string { return phrase.BytesText(int64(v)) }
func cores(v float64) string {
	if v < 0.001 {
		return "0"
	}
	return phrase.Significant(v)
}

// differs says what a process has, and what the others of its pool.
func (w *workload) differs(r *reason, p *pool) string {
	s := r.m.write(r.Value) + r.m.unit
	switch {
	case r.grew:
		s += ", up from " + r.m.write(r.Before) + " in " + w.span
	case r.fell:
		s += ", down from " + r.m.write(r.Before) + " in " + w.span
	}
	if r.Others == 0 {
		return s + "; it is the only " + w.noun + " of " + w.name + "."
	}
	s += "; " + w.others(r.Others, r.some, p.of) + phrase.OnlyIf(r.Others == 1, " has ") +
		phrase.OnlyIf(r.Others > 1, " have ") + w.between(r)
	if r.grew && !r.level {
		s += " and grew by " + phrase.OnlyIf(r.Others > 1, "at most ") + phrase.Percent(max(r.growth, 0))
	}
	return s + phrase.OnlyIf(r.fell, ", so it may hang or get no requests") + "."
}

// others are so many processes of a workload or revision: all the others, or some.
func (w *workload) others(n int, some bool, of string) string {
	switch {
	case some:
		return phrase.Count(n, "other "+w.noun) + " of " + of
	case n == 1:
		return "the other " + w.noun + " of " + of
	}
	return "the other " + phrase.Count(n, w.noun) + " of " + of
}

func (w *workload) between(r *reason) string {
	low, high := r.m.write(r.Low), r.m.write(r.High)
	if low == high {
		return low
	}
	return low + " to " + high
}

func (w *workload) restarted(times, others, high int) string {
	s := "Restarted " + phrase.CountTimes(times) + " in " + w.span
	switch {
	case others == 0:
		return s + "; it is the only " + w.noun + " of " + w.name + "."
	case high == 0:
		return s + "; " + w.others(others, false, w.name) + " did not restart."
	}
	return s + "; " + w.others(others, false, w.name) + " restarted at most " + phrase.CountTimes(high) + "."
}

func (w *workload) allRestarted(n, of, total int) string {
	return fmt.Sprintf("%s of %s of %s restarted in %s, %s in total.", phrase.Number(n), phrase.Count(of, w.noun),
		w.name, w.span, phrase.CountTimes(total))
}

func (w *workload) allGrow(r *reason, n, of int) string {
	return fmt.Sprintf("%s of %s of %s grew in %s: the median is %s%s, up from %s.", phrase.Number(n),
		phrase.Count(of, w.noun), w.name, w.span, r.m.write(r.Value), r.m.unit, r.m.write(r.Before))
}

// next are the commands that look into a process: its logs and events where it ended or can't be scraped, else a
// capture from its port.
func next(x *member, reasons []reason) []rules.Step {
	ended, uses := x.Down, false
	for _, r := range reasons {
		ended, uses = ended || r.m == nil, uses || r.m != nil
	}
	u, err := url.Parse(x.ScrapeURL)
	if err != nil || u.Host == "" {
		u = &url.URL{Scheme: "http", Host: x.Instance}
	}
	port, _ := strconv.Atoi(u.Port()) // of what is no port, 0
	where := phrase.OnlyIf(x.Cluster != "", "in cluster "+phrase.Cut(x.Cluster, 60)+": ")
	t := rules.Target{Namespace: x.Namespace, Pod: x.Pod, Container: x.Container}
	guess := phrase.OnlyIf(x.PprofPort == 0, "if its metrics port serves pprof: ")
	switch {
	case x.Pod == "":
		t.Address = u.Scheme + "://" + u.Host
		if _, err := fetch.ParseTarget(t.Address, ""); err != nil || u.Port() == "" {
			return []rules.Step{}
		}
		s := t.Capture()
		return []rules.Step{s.Note(guess + s.Comment)}
	case !origin.IsDNSName(x.Pod) || x.Namespace != "" && !origin.IsDNSName(x.Namespace):
		return []rules.Step{} // no pod of Kubernetes is called so
	}
	steps := []rules.Step{}
	if ended || port == 0 && x.PprofPort == 0 {
		steps = append(steps, rules.Command("kubectl triage "+x.Pod+
			phrase.OnlyIf(x.Namespace != "", " -n "+x.Namespace)).Note(where+"its logs, events and objects"))
	}
	if t.Port = port; x.PprofPort != 0 {
		t.Port = x.PprofPort
	}
	if uses && t.Port != 0 {
		s := t.Capture()
		if u.Scheme == "https" && x.PprofPort == 0 {
			s = s.With("--https")
		}
		steps = append(steps, s.Note(where+guess+s.Comment))
	}
	return steps
}
