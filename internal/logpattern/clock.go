package logpattern

import "time"

const (
	second = int64(time.Second)
	// yearless is the year of times that have none: a leap year, so that February 29 is a day.
	yearless = 2000
)

// A timeForm is how a line, or its framing, writes a time.
type timeForm uint8

const (
	timeNone   timeForm = iota
	timeISO             // RFC 3339, also with a blank, slashes, a comma, any offset or none
	timeSyslog          // "Nov 20 18:05:32" and "Nov  2 18:05:32.123456"
	timeAccess          // "14/Sep/2021:14:13:50 +0000"
	timeKlog            // "1120 18:05:32.123456"
	timeEpoch           // seconds since 1970, or a finer unit
)

// layouts are the forms up to their seconds: y, m, d, h, i and s are digits of the year, month, day, hour, minute and
// second, D is one or a blank, MON a month's name; - is also a slash, T also a blank.
var layouts = [...]string{
	timeISO: "yyyy-mm-ddThh:ii:ss", timeSyslog: "MON Dd hh:ii:ss", timeAccess: "dd/MON/yyyy:hh:ii:ss",
	timeKlog: "mmdd hh:ii:ss", timeEpoch: "",
}

// timeParts are the numbers that b has at the places of a layout, by the low bits of their letters.
type timeParts [32]int32

func (p *timeParts) of(letter byte) int { return int(p[letter%32]) }

func (p *timeParts) read(layout string, b []byte) bool {
	if len(b) < len(layout) {
		return false
	}
	b = b[:len(layout)]
	for i, c := range b {
		switch l := layout[i]; {
		case l >= 'a' || l == 'D' && c != ' ':
			if !isDigit(c) {
				return false
			}
			p[l%32] = p[l%32]*10 + int32(c-'0')
		case l == 'M' && month(b[i:]) > 0:
			p[l%32] = int32(month(b[i:]))
		case l == 'D', l == 'O', l == 'N', l == '-' && c == '/', l == 'T' && (c == ' ' || c == 't'):
		case l == 'M', l != c:
			return false
		}
	}
	return p.of('h') <= 24 && p.of('i') <= 59 && p.of('s') <= 60
}

// clock is the time of day in nanoseconds.
func (p *timeParts) clock() int64 { return int64(p.of('h')*3600+p.of('i')*60+p.of('s')) * second }

// A clock turns the times of one log's lines into nanoseconds since 1970. It remembers the last minute.
type clock struct {
	lastText [20]byte // "2026-11-20T18:05:"
	lastForm timeForm // of it
	lastMin  int64    // of it, without its offset

	day    int   // year, month and day of the last date, as one number
	dayNS  int64 // its midnight
	noYear bool  // some time had no year
	// wraps is how many times a yearless log went from December to January.
	wraps     int
	lastMonth int
}

// stamp reads the timestamp of a framing: RFC 3339 in all its looks, journalctl's short and short-full, klog's.
func (c *clock) stamp(b []byte) (int64, bool) {
	if len(b) >= 23 && b[3] == ' ' && b[8] == '-' { // "Fri 2026-11-20 18:05:32"
		b = b[4:]
	}
	t, _, form := c.first(b, timeISO, timeSyslog, timeKlog)
	return t, form != timeNone
}

// first reads the time that b begins with in the first of the forms that fits, and its length.
func (c *clock) first(b []byte, forms ...timeForm) (t int64, n int, form timeForm) {
	for _, form := range forms {
		if t, n, ok := c.read(b, form); ok {
			return t, n, form
		}
	}
	return 0, 0, timeNone
}

// read reads the time that b begins with; n is its length, without what follows the seconds in all forms but timeISO.
func (c *clock) read(b []byte, form timeForm) (t int64, n int, ok bool) {
	if form == timeEpoch {
		t, ok = epoch(b)
		return t, 0, ok
	}
	if n = len(layouts[form]); len(b) < n {
		return 0, 0, false
	}
	if m := n - 2; form != c.lastForm || string(b[:m]) != string(c.lastText[:m]) {
		if t, ok = c.minute(b, form); !ok {
			return 0, 0, false
		}
		c.lastForm, c.lastMin = form, t
		copy(c.lastText[:], b[:m])
	}
	tens, ones := b[n-2]-'0', b[n-1]-'0'
	if tens > 6 || ones > 9 || tens == 6 && ones > 0 {
		return 0, 0, false
	}
	t = c.lastMin + int64(tens*10+ones)*second
	switch form {
	case timeISO:
		if n < len(b) && (b[n] == '.' || b[n] == ',') {
			if frac, m := fraction(b[n+1:]); m > 0 {
				t, n = t+frac, n+1+m
			}
		}
		off, m := offset(b[n:])
		return t - off, n + m, true
	case timeAccess:
		if len(b) > n && b[n] == ' ' {
			off, _ := offset(b[n+1:])
			t -= off
		}
		return t, n, true
	}
	return t + decimals(b[n:]), n, true
}

// minute reads a time up to its seconds, which all layouts end in.
func (c *clock) minute(b []byte, form timeForm) (t int64, ok bool) {
	var p timeParts
	if l := layouts[form]; !p.read(l[:len(l)-2], b) {
		return 0, false
	}
	if form == timeKlog || form == timeSyslog {
		t, ok = c.monthDay(p.of('m'), p.of('d'))
	} else {
		t, ok = c.midnight(p.of('y'), p.of('m'), p.of('d'))
	}
	return t + p.clock(), ok
}

func (c *clock) midnight(y, m, d int) (int64, bool) {
	if m < 1 || m > 12 || d < 1 || d > 31 || y < 1970 || y > 2200 {
		return 0, false
	}
	if k := (y*16+m)*32 + d; k != c.day {
		c.day, c.dayNS = k, time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC).UnixNano()
	}
	return c.dayNS, true
}

// monthDay is midnight of a date without a year. Going from December to January turns the year.
func (c *clock) monthDay(m, d int) (int64, bool) {
	c.noYear = true
	switch {
	case c.lastMonth == 12 && m == 1:
		c.wraps++
	case c.lastMonth == 1 && m == 12:
		c.wraps--
	}
	c.lastMonth = m
	return c.midnight(yearless+max(min(c.wraps, 10), -20), m, d)
}

// decimals reads ".123456" or nothing.
func decimals(b []byte) int64 {
	if len(b) < 2 || b[0] != '.' {
		return 0
	}
	ns, _ := fraction(b[1:])
	return ns
}

// month is 1 to 12 for "Jan" to "Dec", 0 for anything else.
func month(b []byte) int {
	if len(b) < 3 {
		return 0
	}
	const names = "JanFebMarAprMayJunJulAugSepOctNovDec"
	for i := 0; i < len(names); i += 3 {
		if string(b[:3]) == names[i:i+3] {
			return i/3 + 1
		}
	}
	return 0
}

// epoch reads seconds, milliseconds, microseconds or nanoseconds since 1970, seconds with decimals: zap's "ts".
func epoch(b []byte) (int64, bool) {
	n := 0
	var v int64
	for n < len(b) && n < 19 && isDigit(b[n]) {
		v = 10*v + int64(b[n]-'0')
		n++
	}
	switch n {
	case 10:
		v = v*second + decimals(b[n:])
	case 13:
		v *= int64(time.Millisecond)
	case 16:
		v *= int64(time.Microsecond)
	case 19:
	default:
		return 0, false
	}
	const least, most = 946684800 * second, 4102444800 * second // 2000 to 2100
	return v, v >= least && v <= most
}

// fraction reads up to nine decimals; n is how many digits there are.
func fraction(b []byte) (ns int64, n int) {
	scale := second
	for n < len(b) && isDigit(b[n]) {
		if n < 9 {
			scale /= 10
			ns += int64(b[n]-'0') * scale
		}
		n++
	}
	return ns, n
}

// offset reads "Z", "+01:00", "-0400" or nothing.
func offset(b []byte) (ns int64, n int) {
	switch {
	case len(b) > 0 && b[0] == 'Z':
		return 0, 1
	case len(b) < 5 || b[0] != '+' && b[0] != '-':
		return 0, 0
	}
	layout := "hhii"
	if b[3] == ':' {
		layout = "hh:ii"
	}
	var p timeParts
	if !p.read(layout, b[1:]) || p.of('h') > 14 {
		return 0, 0
	}
	if ns = p.clock(); b[0] == '-' {
		ns = -ns
	}
	return ns, 1 + len(layout)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
