package ingest

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gotriage/triage/internal/ingest/framing"
)

const (
	sniffSize = 64 << 10
	// A quarter of the sample: text in an old one-byte encoding stays far below, an executable or a compressed stream
	// (half of whose bytes are above 0x7f) far above.
	binaryShare = 4
)

// A contentKind is what a file is by its first bytes.
type contentKind struct {
	kind Kind
	// blob marks a part that goes to Handler.Blob whole; reason is why one isn't read.
	blob         bool
	reason, hint string
}

// sniff identifies a part by head, its first sniffSize decompressed bytes; whole says that there are no more.
func sniff(head []byte, whole bool) contentKind {
	if IsProfile(head, whole) || isOldProfile(head) {
		return contentKind{kind: KindProfile, blob: true}
	}
	if name, unpack := archiveName(head); name != "" {
		return contentKind{
			kind: KindArchive, reason: "a " + name + " archive", hint: "unpack it (" + unpack + ") and pass the folder",
		}
	}
	text := bytes.Trim(head, "\x00")
	if len(text) == 0 {
		return contentKind{kind: KindTextLog}
	}
	if IsBinary(text, whole) {
		return binaryKind(head)
	}
	if isTextProfile(text) {
		return contentKind{kind: KindProfile, blob: true}
	}
	if isPage(text) {
		return contentKind{kind: KindTriageReport, blob: true}
	}
	switch schema := schemaOf(text); {
	case bytes.HasPrefix(schema, []byte("triage/")):
		return contentKind{kind: KindTriageReport, blob: true}
	case bytes.HasPrefix(schema, []byte("triage-capture/")):
		return contentKind{kind: KindCapture, blob: true}
	}
	return contentKind{kind: textKind(text)}
}

// isPage reports whether text begins a report that triage wrote as HTML.
func isPage(text []byte) bool {
	const doctype = "<!doctype html>"
	return len(text) > len(doctype) && strings.EqualFold(string(text[:len(doctype)]), doctype) &&
		bytes.Contains(text[:min(len(text), 4<<10)], []byte(`<meta name="generator" content="triage `))
}

// archiveName names the kind of archive that begins with head, and a command that unpacks it.
func archiveName(head []byte) (name, unpack string) {
	const ustar = 257
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return "zip", "unzip FILE -d DIR"
	case bytes.HasPrefix(head, []byte("7z\xbc\xaf\x27\x1c")):
		return "7z", "7z x FILE"
	case len(head) > ustar+5 && string(head[ustar:ustar+5]) == "ustar":
		return "tar", "tar -xf FILE -C DIR"
	}
	return "", ""
}

// IsBinary reports whether text, the first bytes of a file once decompressed (whole where these are all), is no text.
// It counts NULs, control characters and bytes that aren't UTF-8. The caller has taken NULs off either end: logs have
// them after a copytruncate or a node's crash.
func IsBinary(text []byte, whole bool) bool {
	odd := 0
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c < ' ' && (c < '\a' || c > '\r') && c != 0x1b, c == 0x7f:
			odd++
			i++
		case c < utf8.RuneSelf:
			i++
		default:
			r, n := utf8.DecodeRune(text[i:])
			if r == utf8.RuneError && n == 1 && (whole || i < len(text)-utf8.UTFMax) {
				odd++
			}
			i += n
		}
	}
	// A long run of NULs within is a truncated log's hole, not a sign of a binary.
	odd -= longestNULRun(text)
	return odd*binaryShare > len(text)
}

// longestNULRun is the length of the longest run of NULs, 0 for short ones.
func longestNULRun(b []byte) int {
	longest := 0
	for i := bytes.IndexByte(b, 0); i >= 0; i = bytes.IndexByte(b, 0) {
		b = b[i:]
		rest := bytes.TrimLeft(b, "\x00")
		longest = max(longest, len(b)-len(rest))
		b = rest
	}
	if longest < 512 {
		return 0
	}
	return longest
}

// schemaOf returns the schema that JSON names, as our own reports and captures do in their first field; empty for
// anything else.
func schemaOf(text []byte) []byte {
	it := framing.NewObjectIter(text[:min(len(text), 512)])
	if key, val, first, ok := it.Next(); ok && first == '"' && string(key) == "schema" {
		return val
	}
	return nil
}

// isOldProfile accepts the binary CPU profiles of Go 1.8 and before and of gperftools: five machine words, 0, 3, a
// format, the period and 0.
func isOldProfile(head []byte) bool {
	for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, size := range []int{4, 8} {
			word := func(i int) uint64 {
				if size == 4 {
					return uint64(order.Uint32(head[4*i:]))
				}
				return order.Uint64(head[8*i:])
			}
			if len(head) >= 5*size && word(0) == 0 && word(1) == 3 && word(2) <= 1 && word(3) > 0 && word(4) == 0 {
				return true
			}
		}
	}
	return false
}

// isTextProfile accepts the text that runtime/pprof writes of heap, mutex, block and threadcreate profiles at debug=1.
// Its goroutine profiles are dumps, and read line by line.
func isTextProfile(text []byte) bool {
	head := bytes.TrimLeft(text[:min(len(text), 512)], " \t\r\n\ufeff")
	return isTop(text) ||
		begins(head, "heap profile: ", "--- mutex:", "--- contention:", "threadcreate profile: total ")
}

// isTop accepts what go tool pprof prints for "top".
func isTop(text []byte) bool {
	return bytes.Contains(text[:min(len(text), 8<<10)], []byte("flat  flat%   sum%        cum   cum%\n"))
}

// textKind returns the kind of text that its first lines name.
func textKind(text []byte) Kind {
	for line := range bytes.Lines(text[:min(len(text), 4<<10)]) {
		line = bytes.TrimRight(line, "\r\n")
		trimmed := bytes.TrimLeft(line, " \t\ufeff")
		if len(trimmed) == 0 || trimmed[0] == '#' || string(trimmed) == "---" ||
			bytes.HasPrefix(trimmed, []byte("%YAML")) {
			continue
		}
		if isDumpStart(trimmed) {
			return KindGoroutineDump
		}
		if kind := recordKind(text); kind != "" {
			return kind
		}
		break
	}
	switch {
	case isKubectlText(text):
		return KindKubectlText
	case isMetrics(text):
		return KindMetrics
	case isCgroup(text):
		return KindCgroup
	}
	return KindTextLog
}

// isDumpStart accepts the first line of what is a dump and nothing else.
func isDumpStart(line []byte) bool {
	if rest, ok := bytes.CutPrefix(line, []byte("goroutine ")); ok && len(rest) > 0 {
		return isDigit(rest[0]) || bytes.HasPrefix(rest, []byte("profile: total "))
	}
	return begins(line, "goroutineleak profile: total ", "SIGQUIT: quit", "SIGABRT: abort")
}

// begins reports whether text has one of the beginnings.
func begins(text []byte, with ...string) bool {
	return slices.ContainsFunc(with, func(w string) bool { return bytes.HasPrefix(text, []byte(w)) })
}
