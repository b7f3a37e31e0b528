package ingest

import (
	"bytes"
	"slices"

	"github.com/gotriage/triage/internal/ingest/framing"
	"github.com/gotriage/triage/internal/ingest/origin"
)

// The keys at the top of JSON and YAML identify what they hold: Kubernetes objects alone, in lists, one after the
// other, or in an array, with or without their apiVersion and kind (the Insights operator leaves both out, troubleshoot
// leaves them out of a list's items); audit events alone, in lists, or in the records of whatever carried them here.

// recordKind returns the kind of records that text begins with, "" for none that is known.
func recordKind(text []byte) Kind {
	text = bytes.TrimLeft(text, " \t\r\n\ufeff")
	if i := hostPrefix(text); i > 0 && isAudit(text[i:]) {
		return KindAuditLog
	}
	if len(text) == 0 {
		return ""
	}
	switch text[0] {
	case '{':
		return jsonKind(text)
	case '[':
		if first := bytes.TrimLeft(text[1:], " \t\r\n"); len(first) > 0 && first[0] == '{' {
			return jsonKind(first)
		}
		return ""
	}
	if yamlObjects(text) {
		return KindKubernetesObjects
	}
	return ""
}

// quotedObjects finds the first objects that a text quotes: in a Markdown fence, or in YAML behind a sentence or a
// prompt. kind is "" where there are none. The body's lines have the numbers that they have in the text.
func quotedObjects(text []byte) (body []byte, kind Kind) {
	fence := []byte("```")
	for at := 0; at < len(text); {
		line, _, _ := bytes.Cut(text[at:], newline)
		behind := min(len(text), at+len(line)+1)
		switch {
		case bytes.HasPrefix(line, fence):
			body, _, _ = bytes.Cut(text[behind:], []byte("\n```"))
			if kind = recordKind(body); kind == KindKubernetesObjects {
				return atLine(text[:behind], body), kind
			}
		case bytes.HasPrefix(line, []byte("apiVersion: ")):
			body, _, _ = bytes.Cut(text[at:], []byte("\n```"))
			if yamlObjects(body) {
				return atLine(text[:at], body), KindKubernetesObjects
			}
			return nil, ""
		}
		at = behind
	}
	return nil, ""
}

// atLine returns body behind as many empty lines as before has.
func atLine(before, body []byte) []byte {
	return append(bytes.Repeat(newline, bytes.Count(before, newline)), body...)
}

// hostPrefix returns the length of the host's name that oc adm node-logs writes before each record; 0 for none.
func hostPrefix(text []byte) int {
	i := bytes.IndexByte(text[:min(len(text), 256)], ' ')
	if i <= 0 || i+1 >= len(text) || text[i+1] != '{' || !origin.IsDNSName(text[:i]) {
		return 0
	}
	return i + 1
}

// isAudit recognises audit events in the first record, quoted within it too. Older policies' events lack an apiVersion.
// AdmissionReviews are no audit events and records of Google's cloud may be another service's, but only their reader
// can find that out.
func isAudit(text []byte) bool {
	if i := bytes.Index(text, []byte("}\n")); i > 0 {
		text = text[:i]
	}
	if bytes.Contains(text, []byte(`"AdmissionReview"`)) && bytes.Contains(text, []byte("admission.k8s.io/")) {
		return true
	}
	if bytes.Contains(text, []byte("google.cloud.audit.AuditLog")) {
		return true
	}
	return bytes.Contains(text, []byte(`auditID`)) &&
		(bytes.Contains(text, []byte("audit.k8s.io/")) || bytes.Contains(text, []byte(`requestURI`)))
}

// maxTopKeys bounds the members of a record that are looked at.
const maxTopKeys = 64

func jsonKind(text []byte) Kind {
	t := topKeys(text)
	switch {
	case t.envelope:
		return "" // a container's log, whatever it holds: its lines are identified one by one
	case isAudit(text):
		return KindAuditLog
	case t.logger:
		return ""
	case t.api && (t.kind || t.items || t.content), t.kind && t.items, t.metadata && (t.items || t.content || t.stored),
		t.watch, t.events:
		// kubectl sorts keys: the kind of a long list lies beyond what is sniffed.
		return KindKubernetesObjects
	}
	return ""
}

// A top is which keys a record has.
type top struct {
	api, kind, metadata, items, content bool
	stored                              bool // metadata that the API server has set
	events                              bool // items that are events, shortened as the Insights operator does
	logger                              bool // a program's own log record
	envelope                            bool // a log line in a runtime's record
	watch                               bool // an event of a watch: kubectl get -w --output-watch-events
}

func topKeys(text []byte) (t top) {
	it := framing.NewObjectIter(text)
	var log, stream, typed, object bool
	for range maxTopKeys {
		key, val, first, ok := it.Next()
		if !ok {
			break
		}
		switch string(key) {
		case "apiVersion":
			t.api = first == '"'
		case "kind":
			t.kind = first == '"'
		case "metadata":
			t.metadata = first == '{'
			t.stored = bytes.Contains(val, []byte(`"creationTimestamp"`)) && bytes.Contains(val, []byte(`"name"`))
		case "items":
			t.items = first == '['
			t.events = bytes.Contains(val, []byte(`"lastTimestamp"`)) && bytes.Contains(val, []byte(`"reason"`))
		case "spec", "status", "data", "rules", "webhooks", "involvedObject", "subjects", "roleRef", "provisioner":
			t.content = t.content || first == '{' || first == '[' || string(key) == "provisioner"
		case "level", "msg", "ts", "severity":
			t.logger = t.logger || first == '"' && len(val) < 1<<10 || isDigit(first)
		case "log":
			log = first == '"'
		case "stream":
			stream = true
		case "type":
			typed = slices.Contains([]string{"ADDED", "MODIFIED", "DELETED", "BOOKMARK"}, string(val))
		case "object":
			object = first == '{'
		}
	}
	t.envelope = log && stream
	t.watch = typed && object
	return t
}

// yamlObjects accepts YAML whose first document, or the first item of a list, has apiVersion and what else an object or
// a list has among its keys; their order is anything.
func yamlObjects(text []byte) bool {
	api, other := false, false
	indent, first := 0, true
	for line := range bytes.Lines(text) {
		line = bytes.TrimRight(line, "\r\n ")
		if len(line) == 0 || line[0] == '#' ||
			first && (string(line) == "---" || bytes.HasPrefix(line, []byte("%YAML"))) {
			continue
		}
		if first && bytes.HasPrefix(line, []byte("- ")) {
			line, indent, first = line[2:], 2, false
		} else if !first && string(line) == "---" {
			break
		} else {
			if indent > 0 && bytes.HasPrefix(line, []byte("- ")) {
				break // the second item
			}
			if len(line) < indent || len(bytes.TrimLeft(line[:indent], " ")) > 0 {
				return false
			}
			line = line[indent:]
		}
		if len(line) == 0 {
			continue
		}
		if c := line[0]; !first && (c == ' ' || c == '-') {
			continue // deeper
		}
		key, ok := yamlKey(line)
		if !ok {
			if first {
				return false
			}
			continue // a line of a block scalar at the edge, or the end of what was read
		}
		first = false
		switch string(key) {
		case "apiVersion":
			api = true
		case "kind", "items", "metadata":
			other = true
		}
		if api && other {
			return true
		}
	}
	return false
}

// yamlKey returns the plain key that a line begins with.
func yamlKey(line []byte) ([]byte, bool) {
	i := bytes.IndexByte(line, ':')
	if i <= 0 || i > 128 || i+1 < len(line) && line[i+1] != ' ' {
		return nil, false
	}
	const plain = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_./$"
	key := bytes.Trim(line[:i], `"'`)
	return key, len(key) > 0 && len(bytes.Trim(key, plain)) == 0
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
