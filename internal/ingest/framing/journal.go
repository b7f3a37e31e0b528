package framing

import "bytes"

// unframeJournal takes journalctl's short, short-precise and short-full, which is also what rsyslog and syslog-ng
// write by default: `Nov 20 18:05:32 node1 kubelet[118528]: text`, `Fri 2026-11-20 18:05:32 UTC node1 …`.
func (u *unframer) unframeJournal(line []byte, unframed *unframedLine) bool {
	n := monthStampLen(line)
	if n == 0 {
		n = fullStampLen(line)
	}
	if n == 0 || n >= len(line) || line[n] != ' ' || !u.hostAndTag(line[n+1:], unframed, false) {
		return false
	}
	unframed.stamp, unframed.kind = line[:n], journald
	return true
}

// hostAndTag takes `host tag[pid]: text`. Without a pid it could be anybody's words, so then the host must be known
// from an earlier line, or trusted, where the line can't be anything else.
func (u *unframer) hostAndTag(b []byte, unframed *unframedLine, trusted bool) bool {
	sp := bytes.IndexByte(b[:min(len(b), 254)], ' ')
	if sp <= 0 || !isHost(b[:sp]) {
		return false
	}
	tag, pid, text := cutTag(b[sp+1:])
	if tag == 0 {
		return false
	}
	// The kernel has no pid, and nothing else is called so.
	pid = pid || string(b[sp+1:sp+1+tag]) == "kernel"
	if !pid && !trusted && string(b[:sp]) != string(u.host) {
		return false
	}
	if pid && string(b[:sp]) != string(u.host) {
		u.host = append(u.host[:0], b[:sp]...)
	}
	unframed.stream = u.hostStream(b[:sp+1+tag], b[sp+1:sp+1+tag], b[:sp])
	unframed.text, unframed.decoded = u.unoctal(text), true
	return true
}

// isHost accepts what a host calls itself in a log.
func isHost(b []byte) bool {
	for _, c := range b {
		if !isLowerAlnum(c) && (c < 'A' || c > 'Z') && c != '-' && c != '.' && c != '_' {
			return false
		}
	}
	return true
}

// cutTag takes `kubelet[118528]: text` apart: the length of the tag with its pid, whether it has one, the text.
func cutTag(b []byte) (tag int, pid bool, text []byte) {
	i := 0
	for i < len(b) && i < 64 && b[i] > ' ' && b[i] < 0x7f && b[i] != '[' && b[i] != ':' {
		i++
	}
	if i == 0 || i >= len(b) {
		return 0, false, nil
	}
	if b[i] == '[' {
		j := skipDigits(b, i+1)
		if j == i+1 || j >= len(b) || b[j] != ']' {
			return 0, false, nil
		}
		pid = true
		i = j + 1
	}
	if i >= len(b) || b[i] != ':' {
		return 0, false, nil
	}
	text, ok := afterSpace(b[i+1:])
	if !ok {
		return 0, false, nil
	}
	return i, pid, text
}

// unframeSyslog takes a line with its priority, as a relay stored it: RFC 3164 `<11>Nov 20 18:05:32 node1 app[7]: text`
// (the host may be absent) and RFC 5424 `<165>1 2026-11-20T18:05:32.123Z host app 7 ID47 [sd] text`.
func (u *unframer) unframeSyslog(line []byte, unframed *unframedLine) bool {
	end := bytes.IndexByte(line[:min(len(line), 5)], '>')
	if end < 2 || line[0] != '<' || !areDigits(line[1:end]) {
		return false
	}
	rest := line[end+1:]
	if n := monthStampLen(rest); n > 0 && n < len(rest) && rest[n] == ' ' {
		body := rest[n+1:]
		if u.hostAndTag(body, unframed, true) {
			unframed.stamp, unframed.kind = rest[:n], syslog
			return true
		}
		tag, _, text := cutTag(body)
		if tag == 0 {
			return false
		}
		unframed.text, unframed.stamp, unframed.decoded = u.unoctal(text), rest[:n], true
		unframed.kind, unframed.stream = syslog, u.keyedStream(body[:tag])
		return true
	}
	return u.unframeRFC5424(rest, unframed)
}

// unframeRFC5424 takes what follows the priority: version, timestamp, host, app, process, message id, structured data.
func (u *unframer) unframeRFC5424(b []byte, unframed *unframedLine) bool {
	rest, ok := bytes.CutPrefix(b, []byte("1 "))
	if !ok {
		return false
	}
	var fields [5][]byte
	for i := range fields {
		sp := bytes.IndexByte(rest, ' ')
		if sp <= 0 {
			return false
		}
		fields[i], rest = rest[:sp], rest[sp+1:]
	}
	if stampLen(fields[0]) != len(fields[0]) && string(fields[0]) != "-" {
		return false
	}
	n := structuredDataLen(rest)
	if n == 0 {
		return false
	}
	text, ok := afterSpace(rest[n:])
	if !ok {
		return false
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	host, app, pid := fields[1], fields[2], fields[3]
	key := append(append(append(append(u.keyBuf[:0], host...), ' '), app...), '[')
	key = append(append(key, pid...), ']')
	u.keyBuf = key
	name := key[len(host)+1:]
	if string(pid) == "-" {
		name = app
	}
	id := u.hostStream(key, name, host)
	unframed.text, unframed.stamp, unframed.decoded = u.unoctal(text), fields[0], true
	unframed.kind, unframed.stream = syslog, id
	return true
}

// structuredDataLen returns the length of RFC 5424's structured data at the start of b: "-" or elements in brackets
// whose quoted values may hold escaped brackets. 0 means malformed.
func structuredDataLen(b []byte) int {
	if len(b) == 0 {
		return 0
	}
	if b[0] == '-' {
		return 1
	}
	i := 0
	for i < len(b) && b[i] == '[' {
		for i++; i < len(b) && b[i] != ']'; i++ {
			if b[i] == '"' {
				i, _ = stringEnd(b, i+1)
			}
		}
		if i >= len(b) {
			return 0
		}
		i++
	}
	return i
}

// unoctal turns the control characters that rsyslog escapes (#011 is a tab; $EscapeControlCharactersOnReceive) back.
func (u *unframer) unoctal(text []byte) []byte {
	i := bytes.IndexByte(text, '#')
	if i < 0 || !isOctal(text[i:]) && !bytes.Contains(text, []byte("#0")) {
		return text
	}
	return u.out.build(len(text), func(b []byte) []byte {
		for ; i >= 0; i = bytes.IndexByte(text, '#') {
			b = append(b, text[:i]...)
			if isOctal(text[i:]) {
				b = append(b, (text[i+1]-'0')<<6|(text[i+2]-'0')<<3|(text[i+3]-'0'))
				text = text[i+4:]
				continue
			}
			b = append(b, '#')
			text = text[i+1:]
		}
		return append(b, text...)
	})
}

// isOctal accepts #000 to #037 and #177.
func isOctal(b []byte) bool {
	return len(b) >= 4 && b[0] == '#' &&
		(b[1] == '0' && b[2] >= '0' && b[2] <= '3' && b[3] >= '0' && b[3] <= '7' || string(b[1:4]) == "177")
}
