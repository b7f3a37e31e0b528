package export

import "bytes"

// What a line is in a traceback, as far as its form shows.
type part uint8

const (
	noPart part = iota
	header      // goroutine 7 [select]:
	call        // main.run(0xc000012340)
	place       // <tab>/src/main.go:7 +0x1f
)

// partOf recognises the lines of tracebacks. Stores trim white space, so that a place may begin its line.
func partOf(line []byte) part {
	line = bytes.TrimRight(line, " \r")
	trimmed := bytes.TrimLeft(line, " \t")
	if rest, ok := bytes.CutPrefix(trimmed, []byte("goroutine ")); ok {
		digits := bytes.TrimLeft(rest, "0123456789")
		if len(digits) < len(rest) && bytes.Contains(digits[:min(len(digits), 64)], []byte(" [")) &&
			bytes.HasSuffix(digits, []byte{':'}) {
			return header
		}
		return noPart
	}
	if len(trimmed) == 0 {
		return noPart
	}
	if trimmed[0] == '/' || len(trimmed) < len(line) {
		if isPlace(trimmed) {
			return place
		}
		return noPart
	}
	if bytes.HasPrefix(trimmed, []byte("created by ")) {
		return call
	}
	if n := len(trimmed); trimmed[n-1] == ')' && n > 3 && isLetter(trimmed[0]) {
		if open := bytes.IndexByte(trimmed, '('); open > 0 && bytes.IndexByte(trimmed[:open], ' ') < 0 &&
			bytes.IndexByte(trimmed[:open], '.') > 0 {
			return call
		}
	}
	return noPart
}

// isPlace recognises /src/main.go:7 with or without +0x1f behind it.
func isPlace(line []byte) bool {
	path, _, _ := bytes.Cut(line, []byte{' '})
	i := bytes.LastIndex(path, []byte(".go:"))
	return i > 0 && i+len(".go:") < len(path) && isDigit(path[i+len(".go:")])
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// countParts counts the headers and places among the lines of text, of which it reads the first 64 KiB.
func countParts(text []byte) (headers, places int) {
	text = text[:min(len(text), 64<<10)]
	if !bytes.Contains(text, []byte(".go:")) && !bytes.Contains(text, []byte("goroutine ")) {
		return 0, 0
	}
	for line := range bytes.Lines(text) {
		switch partOf(bytes.TrimSuffix(line, newline)) {
		case header:
			headers++
		case place:
			places++
		}
	}
	return headers, places
}

// isLogLine recognises what programs begin a log's line with: klog's header, a time, a level, JSON, logfmt.
func isLogLine(b []byte) bool {
	b = bytes.TrimLeft(b, " ")
	if len(b) < 8 {
		return false
	}
	const klog = "I1120 18:05:32."
	switch {
	case b[0] == '{' && b[1] == '"' && bytes.Contains(b[:min(len(b), 256)], []byte(`":`)):
		return true
	case len(b) > len(klog) && b[0] >= 'D' && b[0] <= 'W' && isDigit(b[1]) && b[5] == ' ' && b[8] == ':' &&
		b[11] == ':':
		return true
	case isDigit(b[0]) && isDigit(b[1]) && isDigit(b[2]) && isDigit(b[3]) && (b[4] == '-' || b[4] == '/') &&
		len(b) > 32:
		return true
	}
	head := b[:min(len(b), 64)]
	for _, level := range [...]string{"level=", "lvl=", "INFO", "WARN", "ERROR", "DEBUG", "[info]", "[error]"} {
		if bytes.HasPrefix(head, []byte(level)) || bytes.Contains(head, []byte(" "+level)) {
			return true
		}
	}
	return false
}
