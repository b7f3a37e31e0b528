package redact

import (
	"bytes"
	"iter"
	"regexp"
)

// A nameMark is text that precedes the name of a node, or of an API group, which is a dotted name that is no host; form
// is what follows it, with the name as its group. It is looked for in texts that hold beside.
type nameMark struct {
	mark   string
	form   func() *regexp.Regexp
	group  bool
	beside string
}

// What precedes a value behind the name of its field, quoted or not.
const behindField = "^[\"\\\\ '`]{0,7}:[\"\\\\: '`]{0,7}"

var (
	field     = onUse(behindField + `([\w.-]+)[^\w./-]`)
	nameMarks = []nameMark{
		{mark: "system:node:", form: onUse(`^([\w.-]+)`)}, // a kubelet's user
		{mark: "Successfully assigned ", form: onUse(`^[^\n]{0,500}? to ([\w.-]+)`)},
		{mark: "\nNode:", form: onUse(`^ +([\w.-]+)/`)}, // of kubectl describe
		// A request's object.
		{mark: `"resource":"nodes"`, form: onUse(`^[^}]{0,500}?"name":"([\w.-]+)`), beside: "kind"},
		{mark: "nodeName", form: field},
		{mark: "kubernetes.io/hostname", form: field},
		// Other holders are a host and a UUID, with an underscore.
		{mark: "holderIdentity", form: onUse(behindField + `([0-9A-Za-z.-]+)[^\w./-]`), beside: "kube-node-lease"},
		// A kubelet's is the source's host too.
		{mark: "reportingInstance", form: field, beside: "host"},
		{mark: "apiVersion", form: onUse(behindField + `([\w.-]+)/`), group: true},
	}
	groupField = nameMark{mark: "group", form: field, group: true}
)

// namesIn learns what the words in b show: hosts and API groups. table reports that b goes on behind a line of a table
// of nodes; namesIn reports whether b ends in such a table.
func (t *Text) namesIn(b []byte, table bool) bool {
	for _, m := range nameMarks {
		for name, near := range m.in(b) {
			switch {
			case m.group:
				t.lex.addGroup(name)
			case m.beside == "host" && !namesHost(near, name):
			default:
				t.learnHost(name)
			}
		}
	}
	if !table && !bytes.Contains(b, []byte(" ROLES ")) {
		return false
	}
	for line := range bytes.Lines(b) {
		if nodeHeader().Match(line) {
			table = true
		} else if table {
			name, _, row := bytes.Cut(line, []byte(" "))
			if table = row && nodeName().Match(name); table {
				t.learnHost(name)
			}
		}
	}
	return table
}

// A table of nodes is what `kubectl get nodes` prints: its header, then a line a node.
var (
	nodeHeader = onUse(`^NAME +STATUS +ROLES `)
	nodeName   = onUse(`^[a-z0-9.-]+$`) // lower case, as the API wants it: NAME begins another table
)

func namesHost(b, name []byte) bool {
	for host := range (nameMark{mark: "host", form: field}).in(b) {
		if bytes.Equal(host, name) {
			return true
		}
	}
	return false
}

// nearby is how far around a name it is looked for what shows that it is a host's.
const nearby = 2 << 10

// in yields the names in b behind the mark, and what is near each.
func (m nameMark) in(b []byte) iter.Seq2[[]byte, []byte] {
	return func(yield func(name, near []byte) bool) {
		last := []byte(m.mark) // what the form matched; more of the same says nothing new
		for i := 0; ; {
			k := bytes.Index(b[i:], []byte(m.mark))
			if k < 0 || i == 0 && !bytes.Contains(b, []byte(m.beside)) {
				return
			}
			if i += k + len(m.mark); bytes.HasPrefix(b[i:], last) {
				continue
			}
			g := m.form().FindSubmatchIndex(b[i:min(len(b), i+nearby/2)])
			if g == nil {
				continue
			}
			if m.beside != "host" {
				last = b[i:min(len(b), i+g[1]+1)] // to where the name ends
			}
			end, near := trimEnd(b, i+g[2], i+g[3]), b[max(0, i-nearby):min(len(b), i+nearby)]
			if end > i+g[2] && !yield(b[i+g[2]:end], near) {
				return
			}
		}
	}
}
