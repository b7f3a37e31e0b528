package redact

import (
	"bytes"
	"iter"
	"slices"
)

// nodeNames yields names in text that the words around them show to be those of nodes: a kubelet's user, the object of
// a request about nodes, the scheduler's event, the first column of `kubectl get nodes`, the node of `kubectl
// describe`, holders of Leases in kube-node-lease, kubelets that report events.
func nodeNames(b []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		find := inText
		if bytes.Contains(b, []byte("kind")) {
			find = inObjects
		}
		for _, f := range find {
			if !f(b, yield) {
				return
			}
		}
	}
}

// A nodeFinder calls yield with the names it finds, and reports whether yield wants more.
type nodeFinder func(b []byte, yield func([]byte) bool) bool

var (
	inText    = []nodeFinder{kubeletUsers, assignedNodes, listedNodes, describedNodes}
	inObjects = append(slices.Clone(inText), requestedNodes, leasedNodes, reportingNodes)
)

// after calls yield with the word behind each occurrence of mark; skip finds where the word begins. It reports whether
// yield wants more.
func after(b []byte, mark string, skip func(rest []byte) int, yield func([]byte) bool) bool {
	for i := 0; ; {
		k := bytes.Index(b[i:], []byte(mark))
		if k < 0 {
			return true
		}
		i += k + len(mark)
		v := skip(b[i:])
		if v < 0 {
			continue
		}
		start := i + v
		end := run(b, start, len(b), isWord)
		if end = trimEnd(b, start, end); end > start && !yield(b[start:end]) {
			return false
		}
	}
}

func atOnce([]byte) int { return 0 }

func kubeletUsers(b []byte, yield func([]byte) bool) bool {
	return after(b, "system:node:", atOnce, yield)
}

// maxReference bounds an objectRef of an audit event.
const maxReference = 512

func requestedNodes(b []byte, yield func([]byte) bool) bool {
	return after(b, `"resource":"nodes"`, func(rest []byte) int {
		const name = `"name":"`
		rest = rest[:min(len(rest), maxReference)]
		k := bytes.Index(rest, []byte(name))
		if end := bytes.IndexByte(rest, '}'); k < 0 || end >= 0 && end < k {
			return -1
		}
		return k + len(name)
	}, yield)
}

func assignedNodes(b []byte, yield func([]byte) bool) bool {
	return after(b, "Successfully assigned ", func(rest []byte) int {
		const to = " to "
		rest = rest[:min(len(rest), maxReference)]
		k := bytes.Index(rest, []byte(to))
		if k < 0 || bytes.IndexByte(rest[:k], '\n') >= 0 {
			return -1
		}
		return k + len(to)
	}, yield)
}

// listedNodes reads the table of `kubectl get nodes`: its header, then a line a node.
func listedNodes(b []byte, yield func([]byte) bool) bool {
	for i := 0; ; {
		k := bytes.Index(b[i:], []byte(" ROLES "))
		if k < 0 {
			return true
		}
		i += k + 1
		head := b[bytes.LastIndexByte(b[:i], '\n')+1 : lineEnd(b, i)]
		if column := bytes.Fields(head); len(column) < 4 || string(column[0]) != "NAME" ||
			string(column[1]) != "STATUS" {
			continue
		}
		for i = lineEnd(b, i) + 1; i < len(b); i = lineEnd(b, i) + 1 {
			end := run(b, i, len(b), isWord)
			if end == i || end >= len(b) || b[end] != ' ' {
				break
			}
			if !yield(b[i:end]) {
				return false
			}
		}
		if i >= len(b) {
			return true
		}
	}
}

func describedNodes(b []byte, yield func([]byte) bool) bool {
	return after(b, "\nNode:", func(rest []byte) int {
		v := skipBlanks(rest, 0, len(rest))
		if end := run(rest, v, len(rest), isWord); v == 0 || end >= len(rest) || rest[end] != '/' {
			return -1
		}
		return v
	}, yield)
}

func leasedNodes(b []byte, yield func([]byte) bool) bool {
	if !bytes.Contains(b, []byte("kube-node-lease")) {
		return true
	}
	for name := range values(b, "holderIdentity") {
		if bytes.IndexByte(name, '_') < 0 && !yield(name) { // other holders are a host and a UUID
			return false
		}
	}
	return true
}

// reportingNodes are those whose kubelet reports events: the instance is the source's host too.
func reportingNodes(b []byte, yield func([]byte) bool) bool {
	for name := range values(b, "reportingInstance") {
		for host := range values(b, "host") {
			if bytes.Equal(name, host) {
				if !yield(name) {
					return false
				}
				break
			}
		}
	}
	return true
}
