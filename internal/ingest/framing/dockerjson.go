package framing

import "bytes"

// minDockerPiece is the shortest record without a newline that counts as a piece of a longer line. Docker cuts lines
// at 16 KiB (daemon/logger, defaultBufSize); a short record without one is the last words of a process, or was
// written by something that never writes newlines.
const minDockerPiece = 4 << 10

// unframeDocker takes a record of docker's json-file driver in the form that docker itself writes:
// {"log":"text\n","stream":"stderr","time":"2026-11-20T18:05:32.123460341Z"}. Other orders and further members are
// unframeJSON's.
func (u *unframer) unframeDocker(line []byte, f *framed) bool {
	const head = `{"log":"`
	const streamTail, timeTail = `","stream":"stderr"`, `,"time":"`
	if len(line) < len(head)+len(streamTail)+len(timeTail)+22 || string(line[:len(head)]) != head ||
		string(line[len(line)-2:]) != `"}` {
		return false
	}
	end := len(line) - 2
	i := bytes.LastIndexByte(line[max(0, end-40):end], '"')
	if i < 0 {
		return false
	}
	stampAt := max(0, end-40) + i + 1
	tail := line[:stampAt]
	if len(tail) < len(head)+len(streamTail)+len(timeTail) || string(tail[len(tail)-len(timeTail):]) != timeTail {
		return false
	}
	tail = tail[:len(tail)-len(timeTail)]
	valueEnd := len(tail) - len(streamTail)
	name, ok := bytes.CutPrefix(tail[valueEnd:len(tail)-1], []byte(`","stream":"`))
	stream, standard := u.standard(name)
	if !ok || !standard || tail[len(tail)-1] != '"' {
		return false
	}
	f.stream = stream
	u.dockerText(line[len(head):valueEnd], f)
	f.stamp, f.kind = line[stampAt:end], dockerJSON
	return true
}

// dockerText decodes the value of "log". Most values have no escape but the newline at their end.
func (u *unframer) dockerText(val []byte, f *framed) {
	if n := len(val) - 2; n >= 0 && val[n] == '\\' && val[n+1] == 'n' && bytes.IndexByte(val, '\\') == n {
		f.text = val[:n]
		return
	}
	text := u.decode(val, f)
	if n := len(text); n > 0 && text[n-1] == '\n' {
		f.text = text[:n-1]
		return
	}
	f.text, f.partial = text, len(text) >= minDockerPiece
}

// decode resolves the escapes of a JSON string into the arena.
func (u *unframer) decode(val []byte, f *framed) []byte {
	if bytes.IndexByte(val, '\\') < 0 {
		return val
	}
	u.out.reserve(len(val))
	start := len(u.out.arena)
	u.out.arena, _, _ = unescape(u.out.arena, val, false, false)
	f.decoded = true
	return u.out.arena[start:len(u.out.arena):len(u.out.arena)]
}
