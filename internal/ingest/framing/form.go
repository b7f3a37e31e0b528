package framing

import "bytes"

// A form is how the line of a goroutine's header is framed, where nothing else than the line decides that: a line that
// is framed in the same form is of the same writer, whatever was read before it. The zero form is that of no line.
type form struct {
	kind framing
	// head precedes the text. Of CRI, syslog and the journal it has the time, from one place to another.
	head     []byte
	from, to int
	// tail follows the text and precedes the time, of docker's records.
	tail []byte
}

var dockerHead = []byte(`{"log":"`)

const (
	dockerStream = `\n","stream":"`
	dockerTime   = `","time":"`
	// maxDockerStamp is the longest time that unframeDocker takes.
	maxDockerStamp = 39
)

// formOf returns the form of line, which unframe has made f of.
func formOf(line []byte, f *framed) form {
	if len(f.text) == 0 || len(f.stamp) == 0 {
		return form{}
	}
	switch f.kind {
	case dockerJSON:
		return dockerForm(line, f)
	case cri, syslog, journald:
	default:
		return form{}
	}
	n := len(line) - len(f.text)
	if n <= 0 || &line[len(line)-1] != &f.text[len(f.text)-1] {
		return form{}
	}
	i := bytes.Index(line[:n], f.stamp)
	if i < 0 || &line[i] != &f.stamp[0] || f.kind == cri && i > 0 {
		return form{}
	}
	return form{kind: f.kind, head: line[:n], from: i, to: i + len(f.stamp)}
}

// dockerForm is formOf for a record in the form that docker itself writes.
func dockerForm(line []byte, f *framed) form {
	at := len(dockerHead)
	if len(line) <= at+len(f.text) || &line[at] != &f.text[0] || !bytes.HasPrefix(line, dockerHead) {
		return form{}
	}
	tail := line[at+len(f.text):]
	const time = len(dockerStream) + len("stderr")
	const n = time + len(dockerTime)
	if len(tail) != n+len(f.stamp)+len(`"}`) || string(tail[:len(dockerStream)]) != dockerStream ||
		string(tail[time:n]) != dockerTime || len(f.stamp) > maxDockerStamp {
		return form{}
	}
	return form{kind: dockerJSON, head: line[:at], tail: tail[:n]}
}

// is reports whether two forms that were learned from the same line are equal.
func (k *form) is(o *form) bool {
	return k.kind == o.kind && len(k.head) == len(o.head) && k.from == o.from && k.to == o.to &&
		len(k.tail) == len(o.tail)
}

// lines appends the texts of the lines that rest begins with, each with a newline, as far as they are framed in this
// form and their text is as it was written: up to the empty one that ends a goroutine, or until dst has so many bytes.
// It returns the size of those lines, the time of the last, and whether that is the empty one. backslash is false where
// rest is known to have none.
func (k *form) lines(dst, rest []byte, most int, backslash bool) (out []byte, size int, stamp []byte, ended bool) {
	if k.kind == syslog || k.kind == journald {
		return k.fixed(dst, rest, most, backslash)
	}
	for k.kind != plain && len(dst) < most {
		n, used := len(dst), 0
		var at []byte
		if k.kind == cri {
			dst, used, at = k.cri(dst, rest[size:], backslash)
		} else {
			dst, used, at = k.docker(dst, rest[size:])
		}
		if used == 0 {
			break
		}
		size, stamp = size+used, at
		if len(dst) == n+1 {
			return dst, size, stamp, true
		}
	}
	return dst, size, stamp, false
}

// fixed is lines for syslog and the journal, where what precedes a text has one length.
func (k *form) fixed(dst, rest []byte, most int, backslash bool) (out []byte, size int, stamp []byte, ended bool) {
	all := rest
	for len(dst) < most && k.begins(rest) {
		at := len(k.head)
		i := bytes.IndexByte(rest[at:], '\n')
		if i < 0 || rest[at+i-1] == '\r' {
			break
		}
		text := rest[at : at+i+1]
		if backslash && bytes.IndexByte(text, '\\') >= 0 || !isOfStack(text) || text[0] >= 0x80 {
			break
		}
		stamp, rest = rest[k.from:k.to], rest[at+i+1:]
		if i == 0 {
			return append(dst, '\n'), len(all) - len(rest), stamp, true
		}
		if text[0] == '#' && bytes.HasPrefix(text, octalTab) {
			dst, text = append(dst, '\t'), text[len(octalTab):]
		}
		dst = append(dst, text...)
	}
	return dst, len(all) - len(rest), stamp, false
}

// octalTab is what rsyslog makes of a tab, see unoctal.
var octalTab = []byte("#011")

// asWritten reports whether the text of lines that were taken in this form is what was written: no more octal numbers
// are in it. One search for all lines is cheaper than one for each.
func (k *form) asWritten(text []byte) bool {
	return k.kind != syslog && k.kind != journald || bytes.IndexByte(text, '#') < 0
}

// isOfStack reports whether a line may be one of a stack behind its header: it is none of klog's, and no header.
func isOfStack(text []byte) bool {
	c := text[0]
	return (c < 'E' || c > 'W') && (c != 'g' || !bytes.HasPrefix(text, goroutineWord))
}

// docker takes one line for lines. Of escapes it takes the tab before a file and the newline at the end. It returns
// the line's size with its newline, 0 where it isn't of the form.
func (k *form) docker(dst, rest []byte) (out []byte, size int, stamp []byte) {
	if !bytes.HasPrefix(rest, k.head) {
		return dst, 0, nil
	}
	n, at := len(dst), len(k.head)
	tab := len(rest) > at+1 && rest[at] == '\\' && rest[at+1] == 't'
	if tab {
		dst, at = append(dst, '\t'), at+2
	}
	i := bytes.IndexByte(rest[at:], '\\')
	if i < 0 || !bytes.HasPrefix(rest[at+i:], k.tail) {
		return dst[:n], 0, nil
	}
	text := rest[at : at+i]
	at += i + len(k.tail)
	end := bytes.IndexByte(rest[at:min(len(rest), at+maxDockerStamp+len("\"}\n"))], '\n')
	if end < 2 || rest[at+end-1] != '}' || rest[at+end-2] != '"' {
		return dst[:n], 0, nil
	}
	stamp = rest[at : at+end-2]
	if bytes.IndexByte(stamp, '"') >= 0 {
		return dst[:n], 0, nil
	}
	if len(text) > 0 {
		if bytes.IndexByte(text, '\n') >= 0 || text[len(text)-1] == '\r' || !tab && !isOfStack(text) {
			return dst[:n], 0, nil
		}
	}
	return append(append(dst, text...), '\n'), at + end + 1, stamp
}

// cri does what docker does, for lines of CRI.
func (k *form) cri(dst, rest []byte, backslash bool) (out []byte, size int, stamp []byte) {
	end := bytes.IndexByte(rest, '\n')
	if end < 1 || rest[end-1] == '\r' {
		return dst, 0, nil
	}
	at := k.criText(rest[:end])
	if at == 0 {
		return dst, 0, nil
	}
	text := rest[min(at, end) : end+1]
	if backslash && bytes.IndexByte(text, '\\') >= 0 || !isOfStack(text) {
		return dst, 0, nil
	}
	return append(dst, text...), end + 1, rest[:at-len(k.head)+k.to]
}

// criText returns where the text of a line of CRI begins, 0 where the line is not of the form. Times differ in length.
// See unframeCRI.
func (k *form) criText(line []byte) int {
	const shortest, longest = len("2026-11-20T18:05:32Z"), len("2026-11-20T18:05:32.123456789+00:00")
	if len(line) <= shortest || line[4] != '-' || line[10] != 'T' || line[16] != ':' {
		return 0
	}
	i := bytes.IndexByte(line[shortest:min(len(line), longest+2)], ' ')
	if i < 0 {
		return 0
	}
	i += shortest
	behind := k.head[k.to:]
	switch n := i + len(behind); {
	case len(line) >= n && string(line[i:n]) == string(behind):
		return n
	case len(line) == n-1 && string(line[i:]) == string(behind[:len(behind)-1]):
		return n // an empty line, and its blank cut off
	}
	return 0
}

// begins reports whether rest begins as the line before it does, digits of the time excepted. Most lines of a dump have
// one time.
func (k *form) begins(rest []byte) bool {
	if bytes.HasPrefix(rest, k.head) {
		return true
	}
	if !k.differs(rest) {
		return false
	}
	k.head = rest[:len(k.head)]
	return true
}

// differs reports whether a line begins as the one before it but for digits of the time.
func (k *form) differs(line []byte) bool {
	n := len(k.head)
	if len(line) < n || string(line[k.to:n]) != string(k.head[k.to:]) ||
		string(line[:k.from]) != string(k.head[:k.from]) {
		return false
	}
	head := k.head[k.from:k.to]
	for i, d := range line[k.from:k.to] {
		if c := head[i]; d != c && (!isDigit(d) || !isDigit(c)) {
			return false
		}
	}
	return true
}
