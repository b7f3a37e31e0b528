package stackparse

import (
	"strconv"
	"strings"
)

// plainLabels prints a header's labels as `key: value, key: value`, whichever form they had: 1.26 quotes always, 1.27
// only what lies outside [A-Za-z0-9./_].
func plainLabels(text []byte) string {
	var out strings.Builder
	s := string(text)
	for s != "" {
		if s[0] == '"' {
			if q, err := strconv.QuotedPrefix(s); err == nil {
				if u, err := strconv.Unquote(q); err == nil {
					out.WriteString(u)
					s = s[len(q):]
					continue
				}
			}
		}
		out.WriteByte(s[0])
		s = s[1:]
	}
	return out.String()
}
