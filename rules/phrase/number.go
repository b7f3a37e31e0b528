package phrase

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Number writes n with commas between thousands: "37,021".
func Number[T int | int64](n T) string {
	s := strconv.FormatInt(int64(n), 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Count writes a number and its noun: "1 goroutine", "2,764 goroutines", "3 processes".
func Count[T int | int64](n T, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if head, ok := strings.CutSuffix(noun, "y"); ok && !strings.HasSuffix(head, "a") {
		return Number(n) + " " + head + "ies"
	}
	if strings.HasSuffix(noun, "ss") {
		noun += "e"
	}
	return Number(n) + " " + noun + "s"
}

// Plural writes a number without thousands separators and its noun: "1 request", "1204 requests".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// CountGoroutines writes a number with its noun: "1 goroutine", "12 goroutines".
func CountGoroutines(n int) string { return Plural(n, "goroutine") }

// CountMinutes writes a number with its noun; the runtime's own "1 minutes" stays in quoted headers.
func CountMinutes(n uint32) string { return Plural(int(n), "minute") }

// CountTimes writes how often something happened.
func CountTimes(n int) string {
	if n == 1 {
		return "once"
	}
	return strconv.Itoa(n) + " times"
}

// A step is how numbers below a bound are written: divided by per, with a number of digits behind the point, or that
// count (both), and a unit. The last step has no bound.
type step struct {
	below, per float64
	digits     int
	unit       string
}

// Digits that are no number of digits behind the point.
const (
	both  = -1 // two digits that count
	whole = -2 // the part before the point, not rounded
	brief = -3 // one digit, unless it is 0
)

// write writes x by the first step whose bound is above it.
func write(x float64, steps ...step) string {
	i := 0
	for i < len(steps)-1 && x >= steps[i].below {
		i++
	}
	s := steps[i]
	switch x /= s.per; s.digits {
	case both:
		return strconv.FormatFloat(x, 'g', 2, 64) + s.unit
	case whole:
		return strconv.FormatFloat(math.Trunc(x), 'f', 0, 64) + s.unit
	case brief:
		return strings.TrimSuffix(strconv.FormatFloat(x, 'f', 1, 64), ".0") + s.unit
	}
	return strconv.FormatFloat(x, 'f', s.digits, 64) + s.unit
}

// Percent writes a share: "38%", "1.4%" below ten, "0.04%", "0.0%" for none.
func Percent(share float64) string {
	none := step{math.SmallestNonzeroFloat64, 1, 1, "%"}
	return write(100*share, none, step{0.095, 1, 2, "%"}, step{9.95, 1, 1, "%"}, step{0, 1, 0, "%"})
}

// Share writes a share of 1 for a column: "3.4%", "87%".
func Share(share float64) string { return write(share*100, step{10, 1, 1, "%"}, step{0, 1, 0, "%"}) }

// Cores writes a number of cores with the digits that matter: "12 cores", "1.9 cores".
func Cores(c float64) string {
	return write(c, step{0.095, 1, both, " cores"}, step{9.95, 1, 1, " cores"}, step{0, 1, 0, " cores"})
}

// Significant writes a number with two digits that count: "1.9", "0.03", "14".
func Significant(x float64) string {
	return write(x, step{0.95, 1, both, ""}, step{9.95, 1, 1, ""}, step{0, 1, 0, ""})
}

// Rate is how often n things came in a time: "3.1/s", "12/min", "4.0/h".
func Rate(n int, d time.Duration) string {
	return write(float64(n)/d.Seconds(), step{1.0 / 60, 1.0 / 3600, 1, "/h"}, step{1, 1.0 / 60, 0, "/min"},
		step{10, 1, 1, "/s"}, step{0, 1, 0, "/s"})
}

// Time writes a moment as findings have it, in RFC 3339 and UTC; "" for the zero time.
func Time(t time.Time) string { return OnlyIf(!t.IsZero(), t.UTC().Format(time.RFC3339Nano)) }
