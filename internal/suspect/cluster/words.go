package cluster

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// hardWords are what messages about something that does not work say, at the beginning of a word.
var hardWords = []string{
	"back-off", "can't", "cannot", "conflict", "crash", "denied", "didn't match", "does not exist", "doesn't exist",
	"error", "exceeded", "fail", "forbidden", "insufficient", "invalid", "mismatch", "missing", "no endpoints", "no such",
	"not found", "refused", "rejected", "stale", "timed out", "timeout", "unable", "unavailable", "unknown", "unreachable",
}

// hard reports whether a text says that something does not work. Words that are joined count each: FailedMount.
func hard(text string) bool {
	text = strings.ToLower(apart(text))
	return slices.ContainsFunc(hardWords, func(word string) bool {
		for rest := text; ; {
			i := strings.Index(rest, word)
			if i < 0 {
				return false
			}
			if i == 0 || !isLetter(rest[i-1]) {
				return true
			}
			rest = rest[i+1:]
		}
	})
}

// apart writes "Failed Mount" for FailedMount.
func apart(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if i > 0 && 'A' <= s[i] && s[i] <= 'Z' && 'a' <= s[i-1] && s[i-1] <= 'z' {
			b.WriteByte(' ')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

// maxForm is how much of a message tells it from others.
const maxForm = 160

// form is a message without what it quotes and without words with a digit: what messages about several objects have in
// common.
func form(message string) string {
	var b strings.Builder
	quote := rune(0)
	for word := range strings.FieldsSeq(message) {
		if b.Len() >= maxForm {
			break
		}
		inside := quote != 0
		for i, r := range word {
			switch {
			case quote == r:
				quote = 0
			case quote == 0 && (r == '"' || r == '\'' && i == 0 || r == '`'):
				quote = r
			default:
				continue
			}
			inside = true
		}
		switch {
		case inside:
			b.WriteByte('"')
		case strings.ContainsFunc(word, unicode.IsDigit):
			b.WriteByte('#')
		default:
			b.WriteString(word)
		}
		b.WriteByte(' ')
	}
	return b.String()
}

// lastWords are what a termination message says of the end: the line that a panic or a fatal error begins with, else the
// last line; "" for the middle of a traceback.
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

// webhook is the kind of what is named by the webhook in its configuration.
const webhook = "webhook"

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
		{webhook, `failed calling webhook "([^"]+)"`},
		{webhook, `admission webhook "([^"]+)" denied`},
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

// refs are the objects that a message in a namespace names as the reason.
func (v *view) refs(namespace, message string) (all []key) {
	add := func(k key) { all = addFew(all, k) }
	for _, n := range namings() {
		for _, m := range n.re.FindAllStringSubmatch(message, few) {
			space, name, found := strings.Cut(m[1], "/")
			switch {
			case n.kind == webhook:
				v.configurations(m[1], add)
			case n.kind == "APIService": // GROUP/VERSION
				k := key{n.kind, "", name + "." + space}
				if v.there(k) != nil || strings.Contains(strings.ToLower(message), "discovery") {
					add(k)
				}
			case slices.Contains(clusterWide, n.kind):
				add(key{n.kind, "", m[1]})
			case found:
				add(key{n.kind, space, name})
			default:
				add(key{n.kind, namespace, m[1]})
			}
		}
	}
	return all
}
