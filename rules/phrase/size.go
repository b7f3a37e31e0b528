package phrase

import (
	"strconv"
	"strings"
	"time"
)

// Number writes n with commas between thousands: "37,021".
func Number[T int | int64](n T) string { return Thousands(int64(n)) }

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

// List writes words in a sentence: "a", "a and b", "a, b and c".
func List(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	last := len(parts) - 1
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}

// Share writes a share of 1 for a column: "3.4 %", "87 %".
func Share(share float64) string {
	if share < 0.1 {
		return fixed(share*100, 1, " %")
	}
	return fixed(share*100, 0, " %")
}

// ColumnSize writes a number of bytes in a column: "9999 B", "12 kB", "?" where unknown.
func ColumnSize(n int64) string {
	switch {
	case n < 0:
		return "?"
	case n < 10_000:
		return strconv.FormatInt(n, 10) + " B"
	case n < 10_000_000:
		return strconv.FormatInt(n/1000, 10) + " kB"
	}
	return strconv.FormatInt(n/1_000_000, 10) + " MB"
}

// Size writes a number of bytes with one digit behind the point: "17 B", "1.2 kB", "3.4 MB".
func Size(n int64) string {
	switch {
	case n < 1000:
		return strconv.FormatInt(n, 10) + " B"
	case n < 1_000_000:
		return fixed(float64(n)/1e3, 1, " kB")
	}
	return fixed(float64(n)/1e6, 1, " MB")
}

// RoundSize writes a number of bytes in whole units: "0 kB", "1204 MB".
func RoundSize(n int64) string {
	switch {
	case n < 1_000_000:
		return strconv.FormatInt(n/1000, 10) + " kB"
	case n < 10_000_000_000:
		return strconv.FormatInt(n/1_000_000, 10) + " MB"
	}
	return strconv.FormatInt(n/1_000_000_000, 10) + " GB"
}

// Duration writes a time in the unit that suits it: "0.45 s", "30 s", "12 min", "3 h".
func Duration(d time.Duration) string {
	switch s := d.Seconds(); {
	case s < 10:
		return strconv.FormatFloat(s, 'g', 2, 64) + " s"
	case s < 120:
		return fixed(s, 0, " s")
	case s < 7200:
		return fixed(s/60, 0, " min")
	default:
		return fixed(s/3600, 0, " h")
	}
}

// Significant writes a number with two digits that count: "1.9", "0.03", "14".
func Significant(x float64) string {
	switch {
	case x >= 9.95:
		return fixed(x, 0, "")
	case x >= 0.95:
		return fixed(x, 1, "")
	}
	return strconv.FormatFloat(x, 'g', 2, 64)
}

// Amount writes a value of a profile with its unit: "57 s", "103 MB", "1,204".
func Amount(n int64, unit string) string {
	switch unit {
	case "nanoseconds":
		return Duration(time.Duration(n))
	case "bytes":
		f := float64(n)
		for _, u := range []string{" B", " kB", " MB", " GB"} {
			if f < 999.5 {
				return Significant(f) + u
			}
			f /= 1000
		}
		return Significant(f) + " TB"
	}
	return Number(n)
}

func fixed(x float64, digits int, unit string) string {
	return strconv.FormatFloat(x, 'f', digits, 64) + unit
}
