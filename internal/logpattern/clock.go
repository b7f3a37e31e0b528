package logpattern

import "time"

const (
	second = int64(time.Second)
	day    = 24 * 3600 * second
	// yearless is the year of times that have none: a leap year, so that February 29 is a day.
	yearless = 2000
)

// A clock turns the times of one log's lines into nanoseconds since 1970. It remembers the last second.
type clock struct {
	lastText [19]byte // "2026-11-20T18:05:32"
	lastSec  int64    // of it, without its offset
	haveLast bool

	day    int   // year, month and day of the last date, as one number
	dayNS  int64 // its midnight
	noYear bool  // some time had no year
	// wraps is how many times a yearless log went from December to January.
	wraps     int
	lastMonth int
}

// stamp reads the timestamp of a framing: RFC 3339 in all its looks, journalctl's short and short-full, klog's.
func (c *clock) stamp(b []byte) (int64, bool) {
	switch {
	case len(b) >= 19 && b[4] == '-' && (b[10] == 'T' || b[10] == ' '):
		t, _, ok := c.rfc3339(b)
		return t, ok
	case len(b) >= 15 && b[3] == ' ' && b[6] == ' ':
		return c.syslog(b)
	case len(b) >= 23 && b[3] == ' ' && b[8] == '-' && b[14] == ' ':
		t, _, ok := c.rfc3339(b[4:])
		return t, ok
	case len(b) >= 20 && b[4] == ' ' && b[7] == ':':
		return c.klog(b)
	}
	return 0, false
}

// rfc3339 reads "2026-11-20T18:05:32.123456789Z", also with a blank, slashes, a comma, any offset; n is its length.
func (c *clock) rfc3339(b []byte) (t int64, n int, ok bool) {
	if len(b) < 19 {
		return 0, 0, false
	}
	if !c.haveLast || string(b[:19]) != string(c.lastText[:]) {
		if !c.dateTime(b) {
			return 0, 0, false
		}
	}
	t, n = c.lastSec, 19
	if n < len(b) && (b[n] == '.' || b[n] == ',') {
		frac, m := fraction(b[n+1:])
		if m > 0 {
			t, n = t+frac, n+1+m
		}
	}
	off, m := offset(b[n:])
	return t - off, n + m, true
}

// dateTime reads the 19 bytes of a date and a time of day into lastSec.
func (c *clock) dateTime(b []byte) bool {
	if b[4] != b[7] || b[4] != '-' && b[4] != '/' || b[10] != 'T' && b[10] != ' ' && b[10] != 't' {
		return false
	}
	y1, ok1 := two(b)
	y2, ok2 := two(b[2:])
	m, ok3 := two(b[5:])
	d, ok4 := two(b[8:])
	clockNS, ok5 := hms(b[11:])
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 {
		return false
	}
	midnight, ok := c.midnight(100*y1+y2, m, d)
	if !ok {
		return false
	}
	c.lastSec, c.haveLast = midnight+clockNS, true
	copy(c.lastText[:], b)
	return true
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
	return c.midnight(yearless+max(min(c.wraps, 100), -20), m, d)
}

// klog reads "1120 18:05:32.123456".
func (c *clock) klog(b []byte) (int64, bool) {
	m, ok1 := two(b)
	d, ok2 := two(b[2:])
	if !ok1 || !ok2 || len(b) < 13 || b[4] != ' ' {
		return 0, false
	}
	ns, ok := hms(b[5:])
	if !ok {
		return 0, false
	}
	midnight, ok := c.monthDay(m, d)
	return midnight + ns + decimals(b[13:]), ok
}

// decimals reads ".123456" or nothing.
func decimals(b []byte) int64 {
	if len(b) < 2 || b[0] != '.' {
		return 0
	}
	ns, _ := fraction(b[1:])
	return ns
}

// syslog reads "Nov 20 18:05:32" and "Nov  2 18:05:32.123456".
func (c *clock) syslog(b []byte) (int64, bool) {
	m := month(b)
	d, ok := two(b[4:])
	if b[4] == ' ' && isDigit(b[5]) {
		d, ok = int(b[5]-'0'), true
	}
	if m == 0 || !ok {
		return 0, false
	}
	ns, ok := hms(b[7:])
	if !ok {
		return 0, false
	}
	midnight, ok := c.monthDay(m, d)
	return midnight + ns + decimals(b[15:]), ok
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

// hms reads "18:05:32" as nanoseconds.
func hms(b []byte) (int64, bool) {
	if len(b) < 8 || b[2] != ':' || b[5] != ':' {
		return 0, false
	}
	h, ok1 := two(b)
	m, ok2 := two(b[3:])
	s, ok3 := two(b[6:])
	if !ok1 || !ok2 || !ok3 || h > 24 || m > 59 || s > 60 {
		return 0, false
	}
	return int64(h*3600+m*60+s) * second, true
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
	h, ok := two(b[1:])
	i := 3
	if b[i] == ':' {
		i++
	}
	m, ok2 := two(b[i:])
	if !ok || !ok2 || h > 14 {
		return 0, 0
	}
	ns = int64(h*3600+m*60) * second
	if b[0] == '-' {
		ns = -ns
	}
	return ns, i + 2
}

func two(b []byte) (int, bool) {
	if len(b) < 2 || !isDigit(b[0]) || !isDigit(b[1]) {
		return 0, false
	}
	return int(b[0]-'0')*10 + int(b[1]-'0'), true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// access reads an access log's "14/Sep/2021:14:13:50", its offset as well.
func (c *clock) access(b []byte) (int64, bool) {
	if len(b) < 20 || b[2] != '/' || b[6] != '/' || b[11] != ':' {
		return 0, false
	}
	d, ok1 := two(b)
	y1, ok2 := two(b[7:])
	y2, ok3 := two(b[9:])
	ns, ok4 := hms(b[12:])
	if !ok1 || !ok2 || !ok3 || !ok4 {
		return 0, false
	}
	midnight, ok := c.midnight(100*y1+y2, month(b[3:]), d)
	t := midnight + ns
	if len(b) > 21 && b[20] == ' ' {
		off, _ := offset(b[21:])
		t -= off
	}
	return t, ok
}

func yearOf(t int64) int { return time.Unix(0, t).UTC().Year() }
