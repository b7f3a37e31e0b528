package phrase

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// BytesText writes bytes in units of 1,000, as heap limits and pod memory are compared: "103 MB".
func BytesText(n int64) string {
	unit, f := decimal(n)
	if unit == " TB" || f < 9.95 && unit != " B" {
		return fmt.Sprintf("%.1f%s", f, unit)
	}
	return fmt.Sprintf("%.0f%s", f, unit)
}

// decimal finds the unit of 1,000 in which n has at most three digits before the point, or TB.
func decimal(n int64) (unit string, f float64) {
	f = float64(n)
	for _, unit := range []string{" B", " kB", " MB", " GB"} {
		if f < 999.5 {
			return unit, f
		}
		f /= 1000
	}
	return " TB", f
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

// ColumnSize writes a number of bytes in a column: "9999 B", "12 kB", "?" where unknown.
func ColumnSize(n int64) string {
	if n < 0 {
		return "?"
	}
	return write(float64(n), step{1e4, 1, 0, " B"}, step{1e7, 1e3, whole, " kB"}, step{0, 1e6, whole, " MB"})
}

// Size writes a number of bytes with one digit behind the point: "17 B", "1.2 kB", "3.4 MB".
func Size(n int64) string {
	return write(float64(n), step{1e3, 1, 0, " B"}, step{1e6, 1e3, 1, " kB"}, step{0, 1e6, 1, " MB"})
}

// RoundSize writes a number of bytes in whole units: "0 kB", "1204 MB".
func RoundSize(n int64) string {
	return write(float64(n), step{1e6, 1e3, whole, " kB"}, step{1e10, 1e6, whole, " MB"}, step{0, 1e9, whole, " GB"})
}

// Seconds writes a duration, given in seconds, in the largest fitting unit.
func Seconds(s float64) string {
	return write(s, step{10, 1, both, " s"}, step{600, 1, 0, " s"}, step{3600, 60, 0, " min"}, step{0, 3600, 1, " h"})
}

// Spell writes a duration for people: "45 s", "12 min", "3.5 h", "4 days".
func Spell(d time.Duration) string {
	return write(d.Seconds(), step{10, 1, brief, " s"}, step{120, 1, whole, " s"}, step{7200, 60, whole, " min"},
		step{48 * 3600, 3600, brief, " h"}, step{0, 24 * 3600, whole, " days"})
}

// Duration writes a time in the unit that suits it: "0.45 s", "30 s", "12 min", "3 h".
func Duration(d time.Duration) string {
	return write(d.Seconds(), step{10, 1, both, " s"}, step{120, 1, 0, " s"}, step{7200, 60, 0, " min"},
		step{0, 3600, 0, " h"})
}

// Amount writes a value of a profile with its unit: "57 s", "103 MB", "1,204".
func Amount(n int64, unit string) string {
	switch unit {
	case "nanoseconds":
		return Duration(time.Duration(n))
	case "bytes":
		unit, f := decimal(n)
		return Significant(f) + unit
	}
	return Number(n)
}
