package framing

import "bytes"

// looksEscaped reports whether text holds the escaped lines of a traceback: an escaped line end, then what a
// traceback's second line begins with, and a Go file or a goroutine's header.
func looksEscaped(text []byte) bool {
	i := bytes.Index(text, []byte(`\n`))
	if i < 0 || isHeader(text) {
		return false
	}
	if bytes.Contains(text, []byte(".go:")) {
		for _, lineEnd := range [...]string{`\n\t`, `\n\\t`, `\n\u0009`, `\n\\u0009`, `\n\\\\t`, `\n  `} {
			if bytes.Contains(text[max(0, i-4):], []byte(lineEnd)) {
				return true
			}
		}
	}
	for {
		j := bytes.Index(text, []byte("goroutine "))
		if j < 0 {
			return false
		}
		text = text[j+len("goroutine "):]
		if len(text) > 0 && isDigit(text[0]) {
			return true
		}
	}
}

// isHeader recognises a goroutine's header with its labels, whose values are quoted and may hold escapes (Go 1.26+):
// `goroutine 7 [select] {path: "a\nb"}:`.
func isHeader(text []byte) bool {
	rest, ok := bytes.CutPrefix(bytes.TrimLeft(text, " \t"), []byte("goroutine "))
	return ok && len(rest) > 0 && isDigit(rest[0]) &&
		(bytes.HasSuffix(text, []byte("}:")) || bytes.HasSuffix(text, []byte("]:")))
}

// hasWords reports whether text is more than the punctuation that closes a record.
func hasWords(text []byte) bool {
	return bytes.ContainsFunc(text, func(r rune) bool {
		return r >= 0x80 || r >= 'A' && r <= 'Z' || isLowerAlnum(byte(r))
	})
}

// maxIntro bounds each text that is taken from a record into its introduction.
const maxIntro = 4 << 10

// introOf makes one line, in logfmt, of what a JSON record holds besides its dump: level=error msg="…" error="…". It is
// empty where the record holds nothing else. The result is valid until the next call.
func (s *Scanner) introOf(text []byte) []byte {
	var level, msg, err, cause, reason, caller []byte
	it := NewObjectIter(text)
	for {
		key, val, first, ok := it.Next()
		if !ok {
			break
		}
		if first != '"' || len(val) > maxIntro || len(val) == 0 || looksEscaped(val) {
			continue
		}
		switch string(key) {
		case "level", "severity", "lvl", "L":
			level = val
		case "msg", "message", "M":
			msg = val
		case "error", "err":
			err = val
		case "panic":
			cause = val
		case "reason":
			reason = val
		case "caller":
			caller = val
		}
	}
	if msg == nil && err == nil && cause == nil && reason == nil {
		return nil
	}
	out := s.intro[:0]
	if len(level) > 0 && len(level) < 16 {
		out = append(append(out, "level="...), level...)
	}
	for _, field := range [...]struct {
		key string
		val []byte
	}{{"msg", msg}, {"error", err}, {"panic", cause}, {"reason", reason}, {"caller", caller}} {
		if field.val == nil {
			continue
		}
		if len(out) > 0 {
			out = append(out, ' ')
		}
		out = append(append(append(append(out, field.key...), '=', '"'), field.val...), '"')
	}
	s.intro = out
	return out
}

// isCell reports a cell of an HTML table: what it quotes is no process's own output.
func isCell(text []byte) bool {
	return bytes.HasPrefix(bytes.TrimLeft(text, " \t"), []byte("<td"))
}
