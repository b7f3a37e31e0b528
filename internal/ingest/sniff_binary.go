package ingest

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/ingest/origin"
)

// binaries are what bundles hold besides logs, by the first bytes (or those at an offset).
var binaries = []struct {
	at         int
	magic      string
	name, hint string
}{
	{0, "LPKSHHRH", "a systemd journal in binary form", "journalctl --file FILE writes it as text"},
	{16, "\xed\xda\x0c\xed", "a bbolt database, such as an etcd snapshot", ""},
	{0, "SQLite format 3\x00", "an SQLite database", ""}, {0, "\x89PNG\r\n\x1a\n", "a PNG image", ""},
	{0, "\xff\xd8\xff", "a JPEG image", ""}, {0, "GIF8", "a GIF image", ""}, {0, "%PDF-", "a PDF document", ""},
	{0, "\x7fELF", "an executable or a core dump", "dlv core prints the goroutines in a Go program's core dump"},
	{0, "MZ", "a Windows executable", ""}, {0, "\xcf\xfa\xed\xfe", "a macOS executable", ""},
	{0, "\x00\x05\x16\x07", "metadata that macOS stores next to a file", ""},
	{0, "JAVA PROFILE ", "a Java heap dump", ""},
	{0, "\x80\x02", "data of a program", ""}, {0, "\x0a\x0d\x0d\x0a", "a packet capture", ""},
	{0, "\xd4\xc3\xb2\xa1", "a packet capture", ""},
}

// binaryKind identifies a binary file as far as its first bytes allow.
func binaryKind(head []byte) contentKind {
	v := contentKind{
		kind: KindUnknown, reason: "binary file, not a log or profile", hint: "pass the log, dump or profile itself",
	}
	if bytes.HasPrefix(head, []byte("go 1.")) && bytes.Contains(head[:min(len(head), 32)], []byte(" trace\x00")) {
		v.reason, v.hint = "a Go execution trace, not a log or profile",
			"go tool trace shows it; for triage, capture a profile or a goroutine dump"
		return v
	}
	for _, b := range binaries {
		if len(head) > b.at && bytes.HasPrefix(head[b.at:], []byte(b.magic)) {
			v.reason = b.name + ", not a log or profile"
			if b.hint != "" {
				v.hint = b.hint
			}
			break
		}
	}
	return v
}

// byName gives a better reason where a name promises what the content doesn't hold: a profile whose collector met an
// error, a .gz that is none. unpacked says that compression was taken off.
func (v contentKind) byName(shown string, head []byte, unpacked bool) contentKind {
	name := path.Base(shown)
	lower := strings.ToLower(name)
	if v.kind == KindUnknown && v.reason != "" {
		if _, ext := origin.CutCompressed(lower); ext != "" && !unpacked {
			v.reason = "called " + ext + ", but it contains no such stream: damaged, or cut at its beginning"
			v.hint = "copy the file again"
		}
		return v
	}
	if v.kind == KindTextLog && isLimitFile(name, head) {
		v.kind = KindCgroup
	}
	if v.kind != KindTextLog || !calledProfile(lower) {
		return v
	}
	if page := errorPage(head); page != "" {
		return contentKind{
			kind: KindUnknown, reason: page + " instead of a profile",
			hint: "the collector's request failed; capture it again with triage fetch ADDRESS",
		}
	}
	return v
}

// calledProfile recognises the name of a profile or dump.
func calledProfile(name string) bool {
	words := []string{"goroutine", "heap", "profile", "pprof", "allocs", "mutex", "block", "cpu"}
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(name, word) }) &&
		!slices.Contains([]string{".log", ".json", ".yaml"}, path.Ext(name))
}

// errorPage returns what kind of failure came instead of a profile; "" for none.
func errorPage(head []byte) string {
	text := bytes.ToLower(bytes.TrimSpace(head[:min(len(head), 1<<10)]))
	switch {
	case begins(text, "<!doctype html", "<html"):
		return "an HTML page"
	case begins(text, "curl: (", "wget: "):
		return "a download error"
	case begins(text, "404 page not found", "unknown profile", "could not enable ", "profiling is not enabled",
		"error from server", "unable to connect", "command terminated with exit code", "unauthorized", "forbidden"):
		return "an error message"
	}
	return ""
}
