package framing

import (
	"bytes"

	"github.com/gotriage/triage/internal/ingest/origin"
)

// An unframer takes framings off lines. It holds what the lines so far have shown: their framing, their writers.
type unframer struct {
	out     batch
	streams *streams

	lastKind       framing // what the last framed line had
	prefix         prefixMode
	unnamed        int32
	stderr, stdout int32
	host           []byte
	klog           klogRun
	keyBuf         []byte
}

func newUnframer(base origin.Origin, out batch) unframer {
	return unframer{out: out, streams: newStreams(base), unnamed: -1, stderr: -1, stdout: -1}
}

func (u *unframer) plainStream() int32 { return u.namedStream(&u.unnamed, "") }

// namedStream returns the stream called name, remembered in slot.
func (u *unframer) namedStream(slot *int32, name string) int32 {
	if *slot < 0 {
		*slot = u.keyedStream([]byte(name))
	}
	return *slot
}

// standardStream returns the stream of stderr or stdout.
func (u *unframer) standardStream(name []byte) (id int32, ok bool) {
	switch string(name) {
	case "stderr":
		return u.namedStream(&u.stderr, "stderr"), true
	case "stdout":
		return u.namedStream(&u.stdout, "stdout"), true
	}
	return 0, false
}

// keyedStream returns the stream called key.
func (u *unframer) keyedStream(key []byte) int32 {
	id, ok := u.streams.get(key)
	if !ok {
		id = u.streams.add(key, key, u.streams.base)
	}
	return id
}

// hostStream returns the stream that is called name, of a program of a host.
func (u *unframer) hostStream(key, name, host []byte) int32 {
	id, ok := u.streams.get(key)
	if !ok {
		o := u.streams.base
		if o.Node == "" && string(host) != "-" {
			o.Node = string(host)
		}
		id = u.streams.add(key, name, o)
	}
	return id
}

// mayFrame has the first bytes that begin any framing: a line that begins with another byte is plain at once.
var mayFrame = [256]bool{
	'`': true, '{': true, '[': true, '<': true, '>': true, 's': true, // section_start:
	'=': true, // ==== START logs for container
	'0': true, '1': true, '2': true, '3': true, '4': true, '5': true, '6': true, '7': true, '8': true, '9': true,
	'J': true, 'F': true, 'M': true, 'A': true, 'S': true, 'O': true, 'N': true, 'D': true, // months
	'T': true, 'W': true, // days, klog
	'I': true, 'E': true,
}

// unframe takes the framing off line. It tries what the last framed line had first.
func (u *unframer) unframe(line []byte, unframed *unframedLine) {
	*unframed = unframedLine{text: line, stream: noStream}
	if len(line) > 0 && (line[0] == '>' && unquote(unframed) || line[0] == '`' && uncode(unframed)) {
		line = unframed.text
	}
	if len(line) == 0 {
		return
	}
	if u.prefix.mode == learned && u.unframeLearned(line, unframed) {
		return
	}
	if u.lastKind != plain && u.unframeAs(u.lastKind, line, unframed) {
		return
	}
	for _, kind := range candidates(line[0]) {
		if kind == plain {
			break
		}
		if kind != u.lastKind && u.unframeAs(kind, line, unframed) {
			u.lastKind = kind
			return
		}
	}
	if u.prefix.mode != plain && u.prefix.mode != u.lastKind && u.unframeAs(u.prefix.mode, line, unframed) {
		u.lastKind = u.prefix.mode
	}
}

// candidates lists what a line may be by its first byte, the likelier first; plain ends the list.
func candidates(c byte) [4]framing {
	switch {
	case c == '{':
		return [4]framing{dockerJSON}
	case c == '[':
		return [4]framing{kubectlPrefix, fuchsia, dmesg, jenkins}
	case c == '<':
		return [4]framing{syslog}
	case isDigit(c):
		return [4]framing{cri, kubectlTimestamps}
	case c >= 'A' && c <= 'Z':
		return [4]framing{journald}
	}
	return [4]framing{}
}

func (u *unframer) unframeAs(kind framing, line []byte, unframed *unframedLine) bool {
	take := kinds[kind].take
	return take != nil && take(u, line, unframed)
}

// unquote takes `> ` off, as often as it is there.
func unquote(unframed *unframedLine) bool {
	t := unframed.text
	for len(t) > 0 && t[0] == '>' {
		switch {
		case len(t) == 1:
			t = t[1:]
		case t[1] == ' ':
			t = t[2:]
		case t[1] == '>':
			t = t[1:]
		default:
			return false
		}
	}
	unframed.text, unframed.kind = t, quote
	return true
}

// uncode takes the backticks off a line that is one piece of code in Markdown.
func uncode(unframed *unframedLine) bool {
	n := len(unframed.text) - 1
	if n < 2 || bytes.IndexByte(unframed.text[1:], '`') != n-1 {
		return false
	}
	unframed.text, unframed.kind = unframed.text[1:n], quote
	return true
}

// unframeCRI takes a line of a container runtime's log: `TIMESTAMP stream TAG text` (KEP sig-node 2015 "CRI logging",
// pkg/kubelet/kuberuntime/logs). TAG is F, or P for a piece of a line above 16 KiB; further tags follow after colons.
func (u *unframer) unframeCRI(line []byte, unframed *unframedLine) bool {
	const shortest = len("2026-11-20T18:05:32Z")
	if len(line) < shortest+len(" stderr F") || line[4] != '-' || line[10] != 'T' || line[16] != ':' {
		return false
	}
	i := shortest
	for end := min(len(line), shortest+len(".123456789+00:00")); i < end && line[i] != ' '; i++ {
	}
	rest := line[i:]
	const tag = len(" stderr ")
	if len(rest) <= tag {
		return false
	}
	stream, ok := u.standardStream(rest[1 : tag-1])
	first := rest[tag]
	if !ok || rest[0] != ' ' || rest[tag-1] != ' ' || first != 'F' && first != 'P' {
		return false
	}
	text := rest[tag+1:]
	if len(text) > 0 && text[0] == ':' {
		for len(text) > 0 && text[0] != ' ' {
			text = text[1:]
		}
	}
	if text, ok = afterSpace(text); !ok {
		return false
	}
	if u.lastKind != cri && stampLen(line) != i {
		return false
	}
	unframed.text, unframed.stamp, unframed.partial = text, line[:i], first == 'P'
	unframed.stream, unframed.kind = stream, cri
	return true
}

// unframeStamped takes what begins with a timestamp and isn't CRI: journalctl -o short-iso, or the line of
// `kubectl logs --timestamps`, of GitHub Actions and of GitLab's runner.
func (u *unframer) unframeStamped(line []byte, unframed *unframedLine) bool {
	n := stampLen(line)
	if n == 0 || n < len(line) && line[n] != ' ' {
		return false
	}
	if u.lastKind != cri && u.unframeCRI(line, unframed) {
		u.lastKind = cri
		return true
	}
	stamp, text := line[:n], line[min(n+1, len(line)):]
	if u.hostAndTag(text, unframed, false) {
		unframed.stamp, unframed.kind = stamp, journald
		return true
	}
	unframed.text, unframed.stamp, unframed.kind, unframed.stream = gitlabText(text), stamp, kubectlTimestamps, noStream
	if len(unframed.text) > 0 && unframed.text[0] == '{' {
		u.unframeGoTest(unframed.text, unframed)
	}
	return true
}

// gitlabText takes the runner's stream mark off: two hex digits, O or E, and + for the rest of a line (GitLab Runner
// 17, FF_TIMESTAMPS).
func gitlabText(text []byte) []byte {
	if len(text) >= 4 && (text[2] == 'O' || text[2] == 'E') && (text[3] == ' ' || text[3] == '+') &&
		origin.IsHex(string(text[:2])) {
		return text[4:]
	}
	return text
}
