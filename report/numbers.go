package report

import (
	"strconv"
	"strings"
	"time"
)

// Number writes n with commas between thousands: "37,021".
func Number[T int | int64](n T) string {
	s := strconv.FormatInt(int64(n), 10)
	digits := strings.TrimPrefix(s, "-")
	var b strings.Builder
	b.WriteString(s[:len(s)-len(digits)])
	for i := 0; i < len(digits); i++ {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteByte(digits[i])
	}
	return b.String()
}

// count writes a number and its noun: "1 goroutine", "2,764 goroutines".
func count[T int | int64](n T, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Number(n) + " " + plural(noun)
}

func plural(noun string) string {
	if head, ok := strings.CutSuffix(noun, "y"); ok && !strings.HasSuffix(head, "a") {
		return head + "ies"
	}
	if strings.HasSuffix(noun, "ss") {
		return noun + "es"
	}
	return noun + "s"
}

// percent writes a share of 1: "3.4 %", "87 %".
func percent(share float64) string {
	if share < 0.1 {
		return strconv.FormatFloat(share*100, 'f', 1, 64) + " %"
	}
	return strconv.FormatFloat(share*100, 'f', 0, 64) + " %"
}

// listedSize writes a number of bytes in a column: "9999 B", "12 kB", "?" where unknown.
func listedSize(n int64) string {
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
		return strconv.FormatFloat(float64(n)/1e3, 'f', 1, 64) + " kB"
	}
	return strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64) + " MB"
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

// duration writes a time as people write it: "30 s", "3 min 43 s".
func duration(d time.Duration) string {
	switch s := d.Seconds(); {
	case s < 10:
		return strconv.FormatFloat(s, 'g', 2, 64) + " s"
	case s < 120:
		return strconv.FormatFloat(s, 'f', 0, 64) + " s"
	case s < 7200:
		return strconv.FormatFloat(s/60, 'f', 0, 64) + " min"
	default:
		return strconv.FormatFloat(s/3600, 'f', 0, 64) + " h"
	}
}

// significant writes a number with two digits that count: "1.9", "0.03", "14".
func significant(x float64) string {
	if x >= 9.95 {
		return strconv.FormatFloat(x, 'f', 0, 64)
	}
	if x >= 0.95 {
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return strconv.FormatFloat(x, 'g', 2, 64)
}

// amount writes a value of a profile with its unit: "57 s", "103 MB", "1,204".
func amount(n int64, unit string) string {
	switch unit {
	case "nanoseconds":
		return duration(time.Duration(n))
	case "bytes":
		f := float64(n)
		for _, u := range []string{"B", "kB", "MB", "GB"} {
			if f < 999.5 {
				return significant(f) + " " + u
			}
			f /= 1000
		}
		return significant(f) + " TB"
	}
	return Number(n)
}
