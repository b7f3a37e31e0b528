package phrase

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Plural writes a number without thousands separators and its noun: "1 request", "1204 requests".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Counted writes "1 pod", "440 pods".
func Counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Thousands(int64(n)) + " " + noun + "s"
}

// CountTimes writes how often something happened.
func CountTimes(n int) string {
	if n == 1 {
		return "once"
	}
	return strconv.Itoa(n) + " times"
}

// CountGoroutines writes a number with its noun: "1 goroutine", "12 goroutines".
func CountGoroutines(n int) string {
	if n == 1 {
		return "1 goroutine"
	}
	return strconv.Itoa(n) + " goroutines"
}

// CountMinutes writes a number with its noun; the runtime's own "1 minutes" stays in quoted headers.
func CountMinutes(n uint32) string {
	if n == 1 {
		return "1 minute"
	}
	return strconv.FormatUint(uint64(n), 10) + " minutes"
}

// Thousands writes a number with commas.
func Thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Percent writes a share: "38 %", "1.4 %" below ten, "0.04 %".
func Percent(share float64) string {
	switch p := 100 * share; {
	case p >= 9.95:
		return fmt.Sprintf("%.0f %%", p)
	case p >= 0.095 || p <= 0:
		return fmt.Sprintf("%.1f %%", p)
	default:
		return fmt.Sprintf("%.2f %%", p)
	}
}

// Cores writes a number of cores with the digits that matter: "12 cores", "1.9 cores".
func Cores(c float64) string {
	switch {
	case c >= 9.95:
		return fmt.Sprintf("%.0f cores", c)
	case c >= 0.095:
		return fmt.Sprintf("%.1f cores", c)
	}
	return fmt.Sprintf("%.2g cores", c)
}

// BytesText writes bytes in units of 1,000, as heap limits and pod memory are compared: "103 MB".
func BytesText(n int64) string {
	f := float64(n)
	for _, u := range []string{"B", "kB", "MB", "GB"} {
		if f < 999.5 {
			if f < 9.95 && u != "B" {
				return fmt.Sprintf("%.1f %s", f, u)
			}
			return fmt.Sprintf("%.0f %s", f, u)
		}
		f /= 1000
	}
	return fmt.Sprintf("%.1f TB", f)
}

// ByteSize writes a number of bytes in binary units: "64 MiB", "1.5 GiB", "512 bytes".
func ByteSize(n uint64) string {
	if n < 1<<10 {
		return strconv.FormatUint(n, 10) + " bytes"
	}
	v, unit := float64(n), ""
	for _, unit = range []string{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"} {
		if v /= 1 << 10; v < 1<<10 {
			break
		}
	}
	return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0") + " " + unit
}

// Seconds writes a duration, given in seconds, in the largest fitting unit.
func Seconds(s float64) string {
	switch {
	case s >= 3600:
		return fmt.Sprintf("%.1f h", s/3600)
	case s >= 600:
		return fmt.Sprintf("%.0f min", s/60)
	case s >= 10:
		return fmt.Sprintf("%.0f s", s)
	}
	return fmt.Sprintf("%.2g s", s)
}

// Spell writes a duration for people: "45 s", "12 min", "3.5 h", "4 days".
func Spell(d time.Duration) string {
	number := func(v float64) string { return strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0") }
	switch {
	case d < 10*time.Second:
		return number(d.Seconds()) + " s"
	case d < 2*time.Minute:
		return strconv.Itoa(int(d.Seconds())) + " s"
	case d < 2*time.Hour:
		return strconv.Itoa(int(d.Minutes())) + " min"
	case d < 48*time.Hour:
		return number(d.Hours()) + " h"
	}
	return strconv.Itoa(int(d.Hours()/24)) + " days"
}
