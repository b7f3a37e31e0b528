package framing

// maxIntro bounds each text that is taken from a record into its introduction.
const maxIntro = 4 << 10

// introOf makes one line, in logfmt, of what a JSON record holds besides its dump: level=error msg="…" error="…". It is
// empty where the record holds nothing else. The result is valid until the next call.
func (s *Scanner) introOf(text []byte) []byte {
	var level, msg, err, cause, reason []byte
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
	}{{"msg", msg}, {"error", err}, {"panic", cause}, {"reason", reason}} {
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
