package export

import (
	"bytes"
	"strconv"
	"time"
)

// layouts are the times of log stores as text. Go's parser accepts decimals behind the seconds of all of them.
var layouts = [...]string{
	time.RFC3339,
	"2006-01-02 15:04:05",
	"2006-01-02T15:04:05",
	"2006-01-02T15:04:05Z0700",
	"2006-01-02 15:04:05Z07:00",
	"2006-01-02 15:04:05 Z07:00",
	"2006-01-02 15:04:05 -0700",
	"2006-01-02 15:04:05 MST",
	"2006-01-02 15:04:05 -0700 MST", // Go's own
	"2006/01/02 15:04:05",
	"Jan 2, 2006 @ 15:04:05", // Kibana
	"1/2/2006, 3:04:05 PM",   // Azure's portal
	"1/2/2006 3:04:05 PM",    // Excel
	"1/2/2006 15:04:05",
	"Jan 2, 2006, 3:04:05 PM", // Grafana, browsers
	"Jan 2, 2006 3:04:05 PM",
	"02/Jan/2006:15:04:05 -0700",
	"Mon, 02 Jan 2006 15:04:05 MST",
	time.ANSIC,
	"20060102T150405Z0700",
}

// A clock reads the times of one member. It remembers the layout.
type clock struct {
	last int
}

// The years that a log may be of, in nanoseconds since 1970.
const (
	second   = int64(time.Second)
	earliest = 946684800 * second  // 2000
	latest   = 4102444800 * second // 2100
)

// read returns nanoseconds since 1970.
func (c *clock) read(b []byte) (ns int64, ok bool) {
	b = bytes.TrimSpace(b)
	const shortest, longest = len("1795197932"), 48
	if len(b) < shortest || len(b) > longest {
		return 0, false
	}
	if ns, ok = epoch(b); ok {
		return ns, true
	}
	if !hasTwo(b, ':') && b[len(b)-1] != 'Z' {
		return 0, false
	}
	for i := range layouts {
		k := (c.last + i) % len(layouts)
		if t, err := time.Parse(layouts[k], string(b)); err == nil {
			c.last = k
			ns = t.UnixNano()
			return ns, t.Year() >= 2000 && t.Year() < 2100
		}
	}
	return 0, false
}

func hasTwo(b []byte, c byte) bool { return bytes.Count(b, []byte{c}) >= 2 }

// epoch reads seconds, milliseconds, microseconds or nanoseconds since 1970; decimals may follow.
func epoch(b []byte) (int64, bool) {
	whole, decimals, _ := bytes.Cut(b, []byte{'.'})
	var unit int64
	switch len(whole) {
	case 10:
		unit = second
	case 13:
		unit = int64(time.Millisecond)
	case 16:
		unit = int64(time.Microsecond)
	case 19:
		unit = 1
	default:
		return 0, false
	}
	n, err := strconv.ParseInt(string(whole), 10, 64)
	if err != nil || n < earliest/unit || n > latest/unit {
		return 0, false
	}
	ns, scale := n*unit, unit
	for _, d := range decimals {
		if d < '0' || d > '9' {
			return 0, false
		}
		scale /= 10
		ns += int64(d-'0') * scale
	}
	return ns, true
}
