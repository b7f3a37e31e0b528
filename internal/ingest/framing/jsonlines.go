package framing

import (
	"bytes"

	"github.com/gotriage/triage/internal/ingest/origin"
)

// members are the values of one JSON record that identify its writer and its text. nil is absent.
type members struct {
	log, stream, time                              []byte // docker json-file, fluent-bit
	action, pkg, output                            []byte // go test -json
	labels, line, timestamp                        []byte // loki
	message, realtime, identifier, unit, pid, host []byte // journalctl -o json
	textPayload, resource, insertID, cloudLogName  []byte // Google Cloud Logging's export
	kubernetes                                     []byte // fluent-bit's pod metadata
}

// unframeRecord takes a record of any of the programs that store lines as JSON.
func (u *unframer) unframeRecord(line []byte, unframed *unframedLine) bool {
	return u.unframeDocker(line, unframed) || u.unframeJSON(line, unframed)
}

// unframeJSON takes a record of any program that stores lines as JSON, whatever the order of its members.
func (u *unframer) unframeJSON(line []byte, unframed *unframedLine) bool {
	// An application's own JSON lines, which are many, stop here, before all their members are walked.
	if isApplications(line) {
		return false
	}
	if !bytes.Contains(line, []byte(`"log"`)) && !bytes.Contains(line, []byte(`"Action"`)) &&
		!bytes.Contains(line, []byte(`"line"`)) && !bytes.Contains(line, []byte(`"MESSAGE"`)) &&
		!bytes.Contains(line, []byte(`"textPayload"`)) {
		return false
	}
	var m members
	if !m.read(line) {
		return false
	}
	switch {
	case m.log != nil && (m.stream != nil || m.time != nil):
		unframed.kind, unframed.stamp = dockerJSON, m.time
		unframed.stream = u.dockerStream(&m)
		u.dockerText(m.log, unframed)
	case m.action != nil && m.pkg != nil:
		u.goTest(&m, unframed)
	case m.line != nil && m.labels != nil:
		unframed.kind, unframed.stamp = loki, m.timestamp
		unframed.stream = u.labelled(m.labels)
		unframed.text = trimNewline(u.decode(m.line, unframed))
	case m.message != nil && (m.realtime != nil || m.pid != nil || m.identifier != nil):
		unframed.kind, unframed.stamp = journaldJSON, m.realtime
		unframed.stream = u.journalStream(&m)
		unframed.text = trimNewline(u.decode(m.message, unframed))
	case m.textPayload != nil && (m.timestamp != nil || m.insertID != nil || m.cloudLogName != nil):
		unframed.kind, unframed.stamp = cloudJSON, m.timestamp
		unframed.stream = u.labelled(m.resource)
		unframed.text = trimNewline(u.decode(m.textPayload, unframed))
	default:
		return false
	}
	return true
}

// isApplications reports, by the first two members, that a record is a logger's own and no envelope.
func isApplications(line []byte) bool {
	it := NewObjectIter(line)
	for range 2 {
		key, _, _, ok := it.Next()
		if !ok {
			return false
		}
		switch string(key) {
		case "level", "msg", "severity", "message", "caller", "logger", "lvl":
			return true
		}
	}
	return false
}

// unframeGoTest takes a test event behind another framing.
func (u *unframer) unframeGoTest(line []byte, unframed *unframedLine) {
	if !bytes.Contains(line, []byte(`"Action"`)) {
		return
	}
	var m members
	if stamp := unframed.stamp; m.read(line) && m.action != nil && m.pkg != nil {
		u.goTest(&m, unframed)
		if unframed.stamp == nil {
			unframed.stamp = stamp
		}
	}
}

// read walks the record's members; false means that it isn't a whole object.
func (m *members) read(line []byte) bool {
	it := NewObjectIter(line)
	for {
		key, val, first, ok := it.Next()
		if !ok {
			return it.closed()
		}
		m.set(key, val, first)
	}
}

func (m *members) set(key, val []byte, first byte) {
	if first == '{' {
		switch string(key) {
		case "labels", "stream":
			m.labels = val
		case "resource":
			m.resource = val
		case "kubernetes":
			m.kubernetes = val
		}
		return
	}
	if first != '"' {
		return
	}
	switch string(key) {
	case "log":
		m.log = val
	case "stream":
		m.stream = val
	case "time", "Time":
		m.time = val
	case "Action":
		m.action = val
	case "Package", "ImportPath":
		m.pkg = val
	case "Output":
		m.output = val
	case "line":
		m.line = val
	case "timestamp", "ts":
		m.timestamp = val
	case "MESSAGE":
		m.message = val
	case "__REALTIME_TIMESTAMP":
		m.realtime = val
	case "SYSLOG_IDENTIFIER":
		m.identifier = val
	case "_SYSTEMD_UNIT":
		m.unit = val
	case "_PID":
		m.pid = val
	case "_HOSTNAME":
		m.host = val
	case "textPayload":
		m.textPayload = val
	case "insertId":
		m.insertID = val
	case "logName":
		m.cloudLogName = val
	}
}

// dockerStream is stderr or stdout, of the pod that fluent-bit's kubernetes filter names where it does.
func (u *unframer) dockerStream(m *members) int32 {
	if m.kubernetes != nil {
		return u.labelled(m.kubernetes)
	}
	if id, ok := u.standardStream(m.stream); ok {
		return id
	}
	if len(m.stream) == 0 {
		return u.namedStream(&u.stderr, "stderr")
	}
	return u.keyedStream(m.stream)
}

// goTest takes a test event (cmd/internal/test2json): the pieces of a package's output, joined, are what it printed.
func (u *unframer) goTest(m *members, unframed *unframedLine) {
	unframed.kind, unframed.stamp, unframed.stream = goTestJSON, m.time, u.keyedStream(m.pkg)
	if m.output == nil {
		unframed.drop = true
		return
	}
	text := u.decode(m.output, unframed)
	unframed.text = trimNewline(text)
	unframed.partial = len(unframed.text) == len(text)
}

func trimNewline(b []byte) []byte {
	if n := len(b); n > 0 && b[n-1] == '\n' {
		return b[:n-1]
	}
	return b
}

// labelled returns the stream of a set of labels, an object of the text.
func (u *unframer) labelled(labels []byte) int32 {
	if id, ok := u.streams.get(labels); ok {
		return id
	}
	o := u.streams.base
	var stream, job string
	originLabels(labels, &o, &stream, &job, 0)
	name := job
	if o.Pod != "" {
		name = o.Pod
		if o.Container != "" {
			name += "/" + o.Container
		}
	}
	if stream != "" {
		if name != "" {
			name += " "
		}
		name += stream
	}
	return u.streams.add(labels, []byte(name), o)
}

// originLabels reads what promtail, fluent-bit and Cloud Logging call a pod's coordinates; resource.labels nests.
func originLabels(labels []byte, o *origin.Origin, stream, job *string, depth int) {
	const maxLabel = 253
	it := NewObjectIter(labels)
	for {
		key, val, first, ok := it.Next()
		if !ok {
			return
		}
		if first == '{' && string(key) == "labels" && depth == 0 {
			originLabels(val, o, stream, job, depth+1)
		}
		if first != '"' || len(val) > maxLabel {
			continue
		}
		switch string(key) {
		case "pod", "pod_name", "k8s_pod_name":
			o.Pod = string(val)
		case "pod_id":
			o.PodUID = string(val)
		case "namespace", "namespace_name", "k8s_namespace_name":
			o.Namespace = string(val)
		case "container", "container_name", "k8s_container_name":
			o.Container = string(val)
		case "node", "node_name", "host":
			o.Node = string(val)
		case "stream":
			*stream = string(val)
		case "job", "app":
			if *job == "" {
				*job = string(val)
			}
		}
	}
}

// journalStream is the unit's or program's own, with its process.
func (u *unframer) journalStream(m *members) int32 {
	name := m.identifier
	if name == nil {
		name = m.unit
	}
	key := append(append(u.keyBuf[:0], m.host...), ' ')
	start := len(key)
	key = append(key, name...)
	if m.pid != nil {
		key = append(append(append(key, '['), m.pid...), ']')
	}
	u.keyBuf = key
	return u.hostStream(key, key[start:], m.host)
}

// minDockerPiece is the shortest record without a newline that counts as a piece of a longer line. Docker cuts lines
// at 16 KiB (daemon/logger, defaultBufSize); a short record without one is the last words of a process, or was
// written by something that never writes newlines.
const minDockerPiece = 4 << 10

// unframeDocker takes a record of docker's json-file driver in the form that docker itself writes:
// {"log":"text\n","stream":"stderr","time":"2026-11-20T18:05:32.123460341Z"}. Other orders and further members are
// unframeJSON's.
func (u *unframer) unframeDocker(line []byte, unframed *unframedLine) bool {
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
	stream, standard := u.standardStream(name)
	if !ok || !standard || tail[len(tail)-1] != '"' {
		return false
	}
	unframed.stream = stream
	u.dockerText(line[len(head):valueEnd], unframed)
	unframed.stamp, unframed.kind = line[stampAt:end], dockerJSON
	return true
}

// dockerText decodes the value of "log". Most values have no escape but the newline at their end.
func (u *unframer) dockerText(val []byte, unframed *unframedLine) {
	if n := len(val) - 2; n >= 0 && val[n] == '\\' && val[n+1] == 'n' && bytes.IndexByte(val, '\\') == n {
		unframed.text = val[:n]
		return
	}
	text := u.decode(val, unframed)
	if n := len(text); n > 0 && text[n-1] == '\n' {
		unframed.text = text[:n-1]
		return
	}
	unframed.text, unframed.partial = text, len(text) >= minDockerPiece && bytes.IndexByte(text, '\n') < 0
}

// decode resolves the escapes of a JSON string into the arena.
func (u *unframer) decode(val []byte, unframed *unframedLine) []byte {
	if bytes.IndexByte(val, '\\') < 0 {
		return val
	}
	unframed.decoded = true
	return u.out.build(len(val), func(dst []byte) []byte {
		dst, _, _ = unescape(dst, val, false, false)
		return dst
	})
}
