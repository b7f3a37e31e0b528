package logs

import (
	"strconv"
	"time"
)

// A Format is how a component writes its lines.
type Format int

// The formats, as the libraries print them.
const (
	Klog    Format = iota // Lmmdd hh:mm:ss.uuuuuu threadid file:line] msg
	Logrus                // time="…" level=info msg="…", the message may end with more fields behind a bar
	Zap                   // controller-runtime's production encoder: {"level":"info","ts":"…","logger":…}
	EtcdZap               // etcd's: {"level":"info","ts":"…","caller":"…","msg":"…",…}
	ZapTabs               // zap's console encoder: tab separated
	Logfmt                // go-kit's: ts=… caller=… level=…
	Slog                  // {"time":"…","level":"INFO","msg":"…"}
	GoLog                 // 2006/01/02 15:04:05 [INFO] …
	Bare                  // no time of its own
	Access                // nginx's combined log
	Felix                 // 2006-01-02 15:04:05.000 [INFO][43] felix/file.go 123: …
	Journal               // journald's short-precise of a unit, host and unit in the message
)

// A lineOf appends one line: where is the source file and line or the logger, by format.
func (f Format) append(b []byte, r *Rand, t time.Time, level byte, where string, m message) []byte {
	switch f {
	case Klog:
		b = append(b, level)
		b = t.AppendFormat(b, "0102 15:04:05.000000")
		b = append(b, "       1 "...)
		b = append(b, where...)
		b = append(b, "] "...)
		return m.append(b, r, t)
	case Logrus:
		b = append(b, `time="`...)
		b = t.AppendFormat(b, "2006-01-02T15:04:05Z07:00")
		b = append(b, `" level=`...)
		b = append(b, levelName(level, "info", "warning", "error")...)
		b = append(b, ` msg=`...)
		return m.append(b, r, t)
	case Zap:
		b = appendZapHead(b, t, level)
		b = append(b, `","logger":"`...)
		b = append(b, where...)
		b = append(b, `",`...)
		b = m.append(b, r, t)
		return append(b, '}')
	case EtcdZap:
		b = appendZapHead(b, t, level)
		b = append(b, `","caller":"`...)
		b = append(b, where...)
		b = append(b, `",`...)
		b = m.append(b, r, t)
		return append(b, '}')
	case ZapTabs:
		b = t.AppendFormat(b, "2006-01-02T15:04:05.000Z")
		b = append(b, '\t')
		b = append(b, levelName(level, "INFO", "WARN", "ERROR")...)
		b = append(b, '\t')
		b = append(b, where...)
		b = append(b, '\t')
		return m.append(b, r, t)
	case Logfmt:
		b = append(b, "ts="...)
		b = t.AppendFormat(b, "2006-01-02T15:04:05.000Z")
		b = append(b, " caller="...)
		b = append(b, where...)
		b = append(b, " level="...)
		b = append(b, levelName(level, "info", "warn", "error")...)
		b = append(b, ' ')
		return m.append(b, r, t)
	case Slog:
		b = append(b, `{"time":"`...)
		b = t.AppendFormat(b, "2006-01-02T15:04:05.000000000Z")
		b = append(b, `","level":"`...)
		b = append(b, levelName(level, "INFO", "WARN", "ERROR")...)
		b = append(b, `",`...)
		b = m.append(b, r, t)
		return append(b, '}')
	}
	return f.appendOther(b, r, t, level, where, m)
}

func (f Format) appendOther(b []byte, r *Rand, t time.Time, level byte, where string, m message) []byte {
	switch f {
	case GoLog:
		b = t.AppendFormat(b, "2006/01/02 15:04:05 [")
		b = append(b, levelName(level, "INFO", "WARNING", "ERROR")...)
		b = append(b, "] "...)
	case Access:
		b = appendAddress(b, r)
		b = append(b, " - - ["...)
		b = t.AppendFormat(b, "02/Jan/2006:15:04:05 +0000")
		b = append(b, "] "...)
	case Felix:
		b = t.AppendFormat(b, "2006-01-02 15:04:05.000 [")
		b = append(b, levelName(level, "INFO", "WARNING", "ERROR")...)
		b = append(b, "][43] "...)
		b = append(b, where...)
		b = append(b, ": "...)
	case Journal:
		b = t.AppendFormat(b, "Jan 02 15:04:05.000000 ")
		b = append(b, r.Host...)
		b = append(b, ' ')
		b = append(b, where...)
		b = append(b, ": "...)
	}
	return m.append(b, r, t)
}

func appendZapHead(b []byte, t time.Time, level byte) []byte {
	b = append(b, `{"level":"`...)
	b = append(b, levelName(level, "info", "warn", "error")...)
	b = append(b, `","ts":"`...)
	return t.AppendFormat(b, "2006-01-02T15:04:05.000Z")
}

func appendAddress(b []byte, r *Rand) []byte {
	b = append(b, "10.42."...)
	b = strconv.AppendInt(b, int64(r.IntN(3)), 10)
	b = append(b, '.')
	return strconv.AppendInt(b, int64(r.Between(2, 250)), 10)
}

// levelName names klog's letters in a library's words.
func levelName(level byte, info, warning, failure string) string {
	switch level {
	case 'W':
		return warning
	case 'E':
		return failure
	}
	return info
}
