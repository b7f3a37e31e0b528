package redact

import (
	"bytes"
	"iter"
	"regexp"
	"strings"
)

// A nodeMark is text that precedes the name of a node; form, where set, is what follows it, with the name as its group.
// Those of objects are looked for beside a kind.
type nodeMark struct {
	mark    string
	form    func() *regexp.Regexp
	objects bool
}

var nodeMarks = []nodeMark{
	{mark: "system:node:"}, // a kubelet's user
	{mark: "Successfully assigned ", form: onUse(`^[^\n]{0,500}? to ([\w.-]+)`)},
	{mark: "\nNode:", form: onUse(`^ +([\w.-]+)/`)},                                            // of kubectl describe
	{mark: `"resource":"nodes"`, form: onUse(`^[^}]{0,500}?"name":"([\w.-]+)`), objects: true}, // a request's object
}

// names are what the words around them show: hosts, and API groups, which are dotted names that are no hosts.
type names struct{ host, group func(name []byte) }

// in calls n's functions with the names in b.
func (n names) in(b []byte) {
	objects := bytes.Contains(b, []byte("kind"))
	for i := range nodeMarks {
		if !nodeMarks[i].objects || objects {
			nodeMarks[i].find(b, n.host)
		}
	}
	listedNodes(b, n.host)
	if !objects {
		return
	}
	if bytes.Contains(b, []byte("kube-node-lease")) {
		for name := range values(b, "holderIdentity") {
			if bytes.IndexByte(name, '_') < 0 { // other holders are a host and a UUID
				n.host(name)
			}
		}
	}
	for name := range values(b, "reportingInstance") { // a kubelet's is the source's host too
		for host := range values(b, "host") {
			if bytes.Equal(name, host) {
				n.host(name)
				break
			}
		}
	}
}

// inFields looks for the fields of objects that give names, too.
func (n names) inFields(b []byte) {
	n.in(b)
	for _, field := range []string{"nodeName", "kubernetes.io/hostname", "apiVersion"} {
		for v := range values(b, field) {
			n.member([]byte(field), v)
		}
	}
	for v := range values(b, "group") {
		if isGroup(v) {
			n.group(v)
		}
	}
}

// member learns from a member of an object.
func (n names) member(key, v []byte) {
	switch string(key) {
	case "nodeName", "kubernetes.io/hostname":
		n.host(v)
	case "apiVersion":
		if group, _, versioned := bytes.Cut(v, []byte("/")); versioned && isGroup(group) {
			n.group(group)
		}
	}
}

func (m *nodeMark) find(b []byte, found func(name []byte)) {
	for i := 0; ; {
		k := bytes.Index(b[i:], []byte(m.mark))
		if k < 0 {
			return
		}
		i += k + len(m.mark)
		start, end := i, 0
		if m.form == nil {
			end = run(b, start, len(b), isWord)
		} else if g := m.form().FindSubmatchIndex(b[i:min(len(b), i+1024)]); g != nil {
			start, end = i+g[2], i+g[3]
		}
		if end = trimEnd(b, start, end); end > start {
			found(b[start:end])
		}
	}
}

// listedNodes reads the table of `kubectl get nodes`: its header, then a line a node.
func listedNodes(b []byte, found func(name []byte)) {
	for i := 0; i < len(b); {
		k := bytes.Index(b[i:], []byte(" ROLES "))
		if k < 0 {
			return
		}
		i += k + 1
		head := bytes.Fields(b[bytes.LastIndexByte(b[:i], '\n')+1 : lineEnd(b, i)])
		if len(head) < 4 || string(head[0]) != "NAME" || string(head[1]) != "STATUS" {
			continue
		}
		for i = lineEnd(b, i) + 1; i < len(b); i = lineEnd(b, i) + 1 {
			end := run(b, i, len(b), isWord)
			if end == i || end >= len(b) || b[end] != ' ' {
				break
			}
			found(b[i:end])
		}
	}
}

// values yields what follows `field:` and `"field":` in b, without quotes.
func values(b []byte, field string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for i := 0; ; {
			k := bytes.Index(b[i:], []byte(field))
			if k < 0 {
				return
			}
			i += k + len(field)
			v := i
			for v < len(b) && v-i < 8 && strings.IndexByte(`"\: '`, b[v]) >= 0 {
				v++
			}
			end := v
			for end < len(b) && (charClass[b[end]]&isWord != 0 || b[end] == '/') {
				end++
			}
			if v > i && end < len(b) && end > v && bytes.IndexByte(b[i:v], ':') >= 0 && !yield(b[v:end]) {
				return
			}
		}
	}
}
