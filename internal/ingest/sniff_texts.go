package ingest

import (
	"bytes"
	"regexp"
	"slices"
	"sync"
)

// kubectlWithin is in how many lines kubectl's output begins: behind a command's echo, a date, warnings.
const kubectlWithin = 16

// isKubectlText accepts text in whose first lines a description or a table of kubectl begins.
func isKubectlText(text []byte) bool {
	rest := text[:min(len(text), 8<<10)]
	for range kubectlWithin {
		if len(rest) == 0 {
			return false
		}
		if beginsDescription(rest) {
			return true
		}
		line, after, _ := bytes.Cut(rest, newline)
		if isTableHeader(bytes.TrimRight(line, "\r")) {
			return true
		}
		rest = after
	}
	return false
}

// beginsDescription accepts a name, and below it a second key of those that kubectl describe prints of every kind.
func beginsDescription(text []byte) bool {
	if !bytes.HasPrefix(text, []byte("Name:  ")) {
		return false
	}
	_, rest, _ := bytes.Cut(text, newline)
	for range 6 {
		var line []byte
		if line, rest, _ = bytes.Cut(rest, newline); describedKey().Match(line) {
			return true
		}
	}
	return false
}

var describedKey = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(Namespace|Priority|Roles|Labels|Annotations|CreationTimestamp|StorageClass|Selector):  `)
})

// isTableHeader accepts the header of a table of kubectl get, which ends every row of a kind that it knows with its age,
// of its events, and of kubectl top.
func isTableHeader(line []byte) bool {
	if len(line) > 1<<10 || !begins(line, "NAME ", "NAMESPACE ", "LAST SEEN ", "POD ") {
		return false
	}
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(n string) bool { return !bytes.Contains(line, []byte("  "+n)) })
	}
	return has("CPU(cores)", "MEMORY(bytes)") || len(bytes.Trim(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZ- ")) == 0 &&
		(has("AGE") || has("TYPE", "REASON", "OBJECT", "MESSAGE"))
}
