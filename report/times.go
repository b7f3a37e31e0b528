package report

import (
	"strings"
	"time"

	"github.com/gotriage/triage/rules/phrase"
)

// Times are shown in UTC, as Kubernetes writes them; a time that a log gave in another zone is marked.
const (
	minuteForm = "2006-01-02 15:04"
	secondForm = "2006-01-02 15:04:05"
	milliForm  = "15:04:05.000"
	// yearlessForm is that of logs that lack the year (klog's).
	yearlessForm = "01-02 15:04:05Z07:00"
)

// timeIn reads a time of the report; the zero time where there is none.
func timeIn(s string) time.Time {
	for _, form := range [...]string{time.RFC3339, yearlessForm} {
		if t, err := time.Parse(form, s); err == nil {
			return t
		}
	}
	return time.Time{}
}

// formatDated is t in a form that begins with the year, without the year where the log has none.
func formatDated(t time.Time, form string) string {
	s := t.UTC().Format(form)
	if t.UTC().Year() == 0 {
		s = strings.TrimPrefix(s, "0000-")
	}
	return s
}

// timeText is one time of the report for people: "2026-03-04 04:12:05"; what is no time stays as it is.
func timeText(s string) string {
	t := timeIn(s)
	if t.IsZero() {
		return s
	}
	return formatDated(t, secondForm) + zone(t)
}

// Between is a span of time: "2026-03-04 04:12 to 05:13", "2026-03-04 04:12:05 to 2026-03-05 05:13"; "" where an end
// is unknown.
func Between(first, last string) string {
	from, to := timeIn(first), timeIn(last)
	if from.IsZero() || to.IsZero() {
		return ""
	}
	form := minuteForm
	if to.Sub(from) < 10*time.Minute { // minutes would hide how short it is
		form = secondForm
	}
	return spanBetween(from, to, form)
}

// spanText is the span in which something was seen, to the second: "from 2026-03-04 04:12:01 to 05:13:30 (61 min)".
// What is no time stays as it is.
func spanText(first, last string) string {
	from, to := timeIn(first), timeIn(last)
	if from.IsZero() || to.IsZero() {
		return "from " + first + " to " + last
	}
	return "from " + spanBetween(from, to, secondForm) + phrase.InBrackets(durationText(first, last))
}

// spanBetween writes two times, the day of the second only where it is another.
func spanBetween(from, to time.Time, form string) string {
	a, b := formatDated(from, form), formatDated(to, form)
	if a == b {
		return a + zone(from)
	}
	if day := strings.IndexByte(a, ' ') + 1; strings.HasPrefix(b, a[:day]) {
		b = b[day:]
	}
	return a + " to " + b + zone(from)
}

// zone notes that a time was given in another zone than it is shown in.
func zone(t time.Time) string {
	if _, offset := t.Zone(); offset != 0 {
		return " UTC"
	}
	return ""
}

// durationText is how long a span of time is, "" where an end is unknown or both are one.
func durationText(first, last string) string {
	from, to := timeIn(first), timeIn(last)
	if from.IsZero() || to.IsZero() || !to.After(from) {
		return ""
	}
	if d := to.Sub(from); d < 48*time.Hour {
		return phrase.Duration(d)
	}
	return phrase.Number(int64(to.Sub(from).Hours()/24)) + " days"
}

// perTime writes how often something happens in the unit that gives a readable number: "3.1/s", "12/min", "4/h".
func perTime(perSecond float64) string {
	if perSecond <= 0 {
		return ""
	}
	for _, per := range []struct {
		seconds float64
		unit    string
	}{{1, "/s"}, {60, "/min"}, {3600, "/h"}} {
		if perSecond*per.seconds >= 0.95 {
			return phrase.Significant(perSecond*per.seconds) + per.unit
		}
	}
	return phrase.Significant(perSecond*24*3600) + "/day"
}
