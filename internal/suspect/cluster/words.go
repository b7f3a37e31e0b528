package cluster

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// hardWords are what messages about something that does not work say, at the beginning of a word.
var hardWords = []string{
	"back-off", "can't", "cannot", "conflict", "crash", "denied", "didn't match", "does not exist", "doesn't exist",
	"error", "exceeded", "fail", "forbidden", "insufficient", "invalid", "mismatch", "missing", "no endpoints",
	"no such", "not found", "refused", "rejected", "stale", "timed out", "timeout", "unable", "unavailable", "unknown",
	"unreachable",
}

// hard reports whether the beginning of a text says that something does not work. In FailedMount words begin with a
// capital.
func hard(text string) bool {
	const most = 300
	text = text[:min(len(text), most)]
	low := strings.ToLower(text)
	return slices.ContainsFunc(hardWords, func(word string) bool {
		for from := 0; ; {
			i := strings.Index(low[from:], word)
			if i < 0 {
				return false
			}
			from += i + 1
			if begins(low, text, from-1) {
				return true
			}
		}
	})
}

// begins reports whether a word begins at a place of a text, of which low is the same in small letters.
func begins(low, text string, at int) bool {
	if at == 0 || at < len(text) && 'A' <= text[at] && text[at] <= 'Z' {
		return true
	}
	before := low[at-1]
	return before < '0' || before > '9' && before < 'a' && before != '_' || before > 'z'
}

// form is the beginning of a message without quotations and words with a digit: what messages about several objects
// have in common.
func form(message string) string {
	const most = 160
	var b strings.Builder
	for word := range strings.FieldsSeq(message) {
		if strings.ContainsAny(word, "0123456789\"'`") {
			word = "#"
		}
		if b.WriteString(word + " "); b.Len() > most {
			break
		}
	}
	return b.String()
}

// lastWords are what a termination message says of the end: the line that a panic or a fatal error begins with, else
// the last line; "" for the middle of a traceback.
func lastWords(message string) string {
	last := ""
	for line := range strings.Lines(message) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") || isFatal(line) {
			return line
		}
		if line != "" {
			last = line
		}
	}
	if strings.Contains(message, "goroutine ") || strings.Contains(message, " +0x") {
		return ""
	}
	return last
}

// isFatal reports a line of klog that ends the process: F0709 09:19:25.
func isFatal(line string) bool {
	return len(line) > 6 && line[0] == 'F' && isNumber(line[1:5]) && line[5] == ' '
}

// A naming is how messages name an object of a kind; the name is the first submatch.
type naming struct {
	kind string
	re   *regexp.Regexp
}

// namings are those that say why something does not work, in words of Kubernetes' own components.
var namings = sync.OnceValue(func() []naming {
	var all []naming
	for _, n := range [][2]string{
		{"Secret", `secrets? "([^"]+)" not found`},
		{"ConfigMap", `configmaps? "([^"]+)" not found`},
		{"PersistentVolumeClaim", `persistentvolumeclaims? "([^"]+)" (?:not found|is being deleted)`},
		{"ServiceAccount", `service ?accounts? "([^"]+)" not found`},
		{"Service", `services? "([^"]+)" not found`},
		{"Service", `no endpoints available for service "([^"]+)"`},
		{"ResourceQuota", `exceeded quota: ([^,\s]+)`},
		{"webhook", `failed calling webhook "([^"]+)"`},
		{"webhook", `admission webhook "([^"]+)" denied`},
		{"StorageClass", `storageclass\S* "([^"]+)" not found`},
		{"Node", `nodes? "([^"]+)" not found`},
		{"PriorityClass", `(?i:priorityclass)\S* "?([\w.-]+)"? (?:was )?not found`},
		{"APIService", `\b([a-z0-9-]+(?:\.[a-z0-9-]+)+/v\d\w*)\b`},
	} {
		all = append(all, naming{n[0], regexp.MustCompile(n[1])})
	}
	return all
})

// clusterWide are the kinds whose objects have no namespace.
var clusterWide = []string{
	"Node", "Namespace", "APIService", "CustomResourceDefinition", "ClusterOperator", "ValidatingWebhookConfiguration",
	"MutatingWebhookConfiguration", "PersistentVolume", "StorageClass", "PriorityClass",
}

// maxRead bounds the messages in which names are looked for.
const maxRead = 5000

// refs are the objects that a message in a namespace names as the reason.
func (v *view) refs(namespace, message string) (all []key) {
	if v.read++; message == "" || v.read > maxRead {
		return nil
	}
	for _, n := range namings() {
		for _, m := range n.re.FindAllStringSubmatch(message, few) {
			k := key{n.kind, namespace, m[1]}
			space, name, found := strings.Cut(m[1], "/")
			switch {
			case n.kind == "webhook":
				for _, k := range v.hooks[m[1]] {
					all = addFew(all, k)
				}
				continue
			case n.kind == "APIService": // GROUP/VERSION
				if k = (key{n.kind, "", name + "." + space}); v.there(k) == nil {
					continue
				}
			case slices.Contains(clusterWide, n.kind):
				k.namespace = ""
			case found:
				k.namespace, k.name = space, name
			}
			all = addFew(all, k)
		}
	}
	return all
}
