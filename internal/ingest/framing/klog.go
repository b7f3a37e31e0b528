package framing

import "bytes"

// klogGap is how many lines of other writers may lie between two lines of one logged dump.
const klogGap = 8

// A klogRun is a dump under way that was logged line by line, each with klog's header. Only such lines lose it: a
// single log line keeps its header, because its level and place matter.
type klogRun struct {
	place []byte // level, then file:line
	num   int64
}

// unframeKlog takes klog's header off a line of a logged dump:
// `I1120 18:05:32.123456       1 dump.go:77] text` (k8s.io/klog/v2, formatHeader).
func (u *unframer) unframeKlog(text []byte, num int64) (rest, stamp []byte, ok bool) {
	n, place := klogHeader(text)
	if n == 0 {
		return nil, nil, false
	}
	rest = text[n:]
	running := num-u.klog.num <= klogGap && len(u.klog.place) > 0 && u.klog.place[0] == text[0] &&
		string(u.klog.place[1:]) == string(place)
	if !running {
		if !isDumpLine(rest) {
			return nil, nil, false
		}
		u.klog.place = append(append(u.klog.place[:0], text[0]), place...)
	}
	u.klog.num = num
	const stampEnd = len("I1120 18:05:32.123456")
	return rest, text[1:stampEnd], true
}

// klogHeader returns the length of the header with the space behind it, and its file:line; 0 for no header.
func klogHeader(b []byte) (n int, place []byte) {
	const fixed = len("I1120 18:05:32.123456")
	if len(b) < fixed+4 || b[5] != ' ' || b[14] != '.' || !areDigits(b[1:5]) || clockLen(b[6:]) != fixed-6 ||
		b[fixed] != ' ' {
		return 0, nil
	}
	i := fixed
	for i < len(b) && b[i] == ' ' {
		i++
	}
	i = skipDigits(b, i)
	if i >= len(b) || b[i] != ' ' {
		return 0, nil
	}
	i++
	end := bytes.IndexByte(b[i:min(len(b), i+256)], ']')
	if end <= 0 {
		return 0, nil
	}
	place = b[i : i+end]
	if bytes.IndexByte(place, ':') < 0 || bytes.IndexByte(place, ' ') >= 0 {
		return 0, nil
	}
	n = i + end + 1
	if n < len(b) {
		if b[n] != ' ' {
			return 0, nil
		}
		n++
	}
	return n, place
}

// isDumpLine accepts the lines that a dump's text begins with.
func isDumpLine(b []byte) bool {
	if rest, ok := bytes.CutPrefix(b, []byte("goroutine ")); ok {
		return len(rest) > 0 && isDigit(rest[0])
	}
	if rest, ok := bytes.CutPrefix(b, []byte("SIG")); ok {
		i := bytes.IndexByte(rest, ':')
		return i > 1 && i < 8 && rest[0] >= 'A' && rest[0] <= 'Z'
	}
	return bytes.HasPrefix(b, []byte("PC=0x")) || bytes.HasPrefix(b, []byte("\t/"))
}
