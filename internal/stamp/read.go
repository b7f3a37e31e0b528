package stamp

import (
	"bytes"
	"time"
)

// Epoch reads seconds, milliseconds, microseconds or nanoseconds since 1970, of the years 2000 to 2100, that b begins
// with, and decimals behind them: nanoseconds, and how many bytes they take, 0 for none.
func Epoch(b []byte) (ns int64, n int) {
	for n < len(b) && n < 20 && isDigit(b[n]) {
		ns = 10*ns + int64(b[n]-'0')
		n++
	}
	scale := int64(1)
	switch n {
	case 10:
		scale = int64(time.Second)
	case 13:
		scale = int64(time.Millisecond)
	case 16:
		scale = int64(time.Microsecond)
	case 19:
	default:
		return 0, 0
	}
	const from, to = 946684800 * int64(time.Second), 4102444800 * int64(time.Second)
	if ns < from/scale || ns > to/scale {
		return 0, 0
	}
	ns *= scale
	if n < len(b) && b[n] == '.' {
		for n++; n < len(b) && isDigit(b[n]); n++ {
			scale /= 10
			ns += int64(b[n]-'0') * scale
		}
	}
	return ns, n
}

// Klog reads klog's header, `Lmmdd hh:mm:ss.uuuuuu tid file:line] ` (k8s.io/klog/v2, internal/severity and buffer):
// where the place is in b, and where the message begins; ok is false for other lines.
func Klog(b []byte) (from, to, message int, ok bool) {
	const fixed = len("I1120 18:05:32.123456")
	if len(b) < fixed+4 || b[5] != ' ' || b[8] != ':' || b[14] != '.' || b[fixed] != ' ' || !isDigit(b[1]) ||
		!isDigit(b[4]) || bytes.IndexByte([]byte("IWEFD"), b[0]) < 0 {
		return 0, 0, 0, false
	}
	from = fixed
	for from < len(b) && (b[from] == ' ' || isDigit(b[from])) {
		from++
	}
	end := bytes.IndexByte(b[from:min(len(b), from+128)], ']')
	if end <= 0 {
		return 0, 0, 0, false
	}
	to = from + end
	message = to + 1
	if message < len(b) && b[message] == ' ' {
		message++
	}
	return from, to, message, true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
