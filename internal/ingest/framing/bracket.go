package framing

import "bytes"

// unframeJenkins takes `[2026-11-20T18:05:32.123Z] text`, what Jenkins' timestamper writes.
func (u *unframer) unframeJenkins(line []byte, unframed *unframedLine) bool {
	if len(line) < 3 || line[0] != '[' {
		return false
	}
	n := stampLen(line[1:])
	if n == 0 || n+1 >= len(line) || line[n+1] != ']' {
		return false
	}
	text, ok := afterSpace(line[n+2:])
	if !ok {
		return false
	}
	unframed.text, unframed.stamp, unframed.stream, unframed.kind = text, line[1:n+1], noStream, jenkins
	return true
}

// unframeFuchsia takes `[00121.386] 05209.05460> text`: uptime, process and thread. A process is a stream.
func (u *unframer) unframeFuchsia(line []byte, unframed *unframedLine) bool {
	const header = len("[00121.386] 05209.05460> ")
	if len(line) < header-1 || line[0] != '[' || line[6] != '.' || line[10] != ']' || line[11] != ' ' ||
		line[17] != '.' || line[23] != '>' {
		return false
	}
	if !areDigits(line[1:6]) || !areDigits(line[7:10]) || !areDigits(line[12:17]) || !areDigits(line[18:23]) {
		return false
	}
	text, ok := afterSpace(line[header-1:])
	if !ok {
		return false
	}
	unframed.text, unframed.stamp, unframed.kind = text, line[1:10], fuchsia
	unframed.stream = u.keyedStream(line[12:17])
	return true
}

// unframeDmesg takes `[   83.123456][ T1234] text`, the kernel's own log: what a serial console or dmesg shows.
func (u *unframer) unframeDmesg(line []byte, unframed *unframedLine) bool {
	end := bytes.IndexByte(line[:min(len(line), 24)], ']')
	if end < 0 || line[0] != '[' {
		return false
	}
	secs, micros, ok := bytes.Cut(bytes.TrimLeft(line[1:end], " "), []byte("."))
	if !ok || len(secs) == 0 || len(micros) != 6 || !areDigits(secs) || !areDigits(micros) {
		return false
	}
	rest := line[end+1:]
	if len(rest) > 0 && rest[0] == '[' {
		if i := bytes.IndexByte(rest[:min(len(rest), 16)], ']'); i > 0 {
			rest = rest[i+1:]
		}
	}
	text, ok := afterSpace(rest)
	if !ok {
		return false
	}
	unframed.text, unframed.stamp, unframed.stream, unframed.kind = text, line[1:end], noStream, dmesg
	return true
}

// afterSpace takes one space off; a line may end before it.
func afterSpace(b []byte) ([]byte, bool) {
	if len(b) == 0 {
		return b, true
	}
	if b[0] != ' ' {
		return nil, false
	}
	return b[1:], true
}
