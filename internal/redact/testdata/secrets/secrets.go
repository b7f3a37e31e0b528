package secrets

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A Sample is a file with a secret in it.
type Sample struct {
	Family, Context string
	File            string // a name that is its own
	Text            string
	// Secrets are what must not be in a copy: the value, and its forms where it is coded.
	Secrets []string
}

// perContext is how many secrets each context gets.
const perContext = 8

// Contexts is how many contexts Samples has.
func Contexts() int {
	return len(logContexts()) + len(objectContexts()) + len(fileContexts()) + len(framings()) + len(identityContexts()) +
		len(nodeContexts())
}

// HeldContexts is how many contexts HeldSamples has.
func HeldContexts() int { return len(heldContexts()) }

// Samples returns more than 600 files, the same for the same seed. Contexts that say what their value is get values of
// all families in turn, others those that show by themselves what they are.
func Samples(seed uint64) []Sample {
	r := rand.New(rand.NewPCG(seed, 42))
	all := keyed(r, slices.Concat(logContexts(), objectContexts(), fileContexts()))
	add := func(family, context, ext, text string, secrets ...string) {
		all = append(all, sample(len(all), family, context, ext, text, secrets...))
	}
	for _, f := range framings() {
		for range 3 {
			lines, body := pemBlock(r)
			add("private key", "PEM in "+f.name, f.ext, f.frame(lines), body...)
		}
	}
	for _, f := range identities() {
		for _, c := range identityContexts() {
			v := f.make(r)
			add(f.name, c.name, c.ext, strings.ReplaceAll(c.text, "%s", v), v)
		}
	}
	for _, c := range nodeContexts() {
		for range 3 {
			name := "edge" + pick(r, digits, 3) + pick(r, lower, 2)
			add("node", c.name, c.ext, strings.ReplaceAll(c.text, "%s", name), name)
		}
	}
	return all
}

func sample(n int, family, context, ext, text string, secrets ...string) Sample {
	return Sample{family, context, fmt.Sprintf("%04d%s", n, ext), text, secrets}
}

// keyed returns samples of contexts with values of all families in turn.
func keyed(r *rand.Rand, contexts []context) []Sample {
	var all []Sample
	fams := families()
	shaped := slices.DeleteFunc(families(), func(f family) bool { return !f.shaped })
	next := r.IntN(len(fams))
	for _, c := range contexts {
		for range perContext {
			f := fams[next%len(fams)]
			next++
			if c.plain {
				f = shaped[next%len(shaped)]
			}
			secret := f.make(r)
			text, coded := c.write(r, secret)
			all = append(all, sample(len(all), f.name, c.name, c.ext, text, append(coded, secret)...))
		}
	}
	return all
}

// A framing is how a log writes the lines of a block.
type framing struct {
	name, ext string
	frame     func(lines []string) string
}

func prefixed(name, prefix string) framing {
	return framing{name, ".log", func(lines []string) string {
		return prefix + "loading the key\n" + prefix + strings.Join(lines, "\n"+prefix) + "\n" + prefix + "ready\n"
	}}
}

func framings() []framing {
	each := func(name, text string) framing {
		return framing{name, ".log", func(lines []string) string {
			var b strings.Builder
			for _, l := range lines {
				b.WriteString(strings.ReplaceAll(text, "%s", l))
			}
			return b.String()
		}}
	}
	return []framing{
		prefixed("plain text", ""),
		prefixed("CRI", stamp+" stderr F "),
		prefixed("kubectl --timestamps", stamp+" "),
		prefixed("kubectl --prefix", "[pod/web-1/web] "),
		prefixed("stern", "web-1 web "),
		prefixed("compose", "web-1  | "),
		prefixed("journal", "Nov 20 18:05:32 edge07 app[812]: "),
		prefixed("syslog", "<14>1 "+stamp+" edge07 app 812 - - "),
		prefixed("klog", "I1120 18:05:32.123456       1 key.go:12] "),
		prefixed("an indented block", "        "),
		prefixed("a quotation", "> "),
		each("docker json-file", `{"log":"%s\n","stream":"stdout","time":"`+stamp+`"}`+"\n"),
		each("journal JSON", `{"PRIORITY":"6","_PID":"812","MESSAGE":"%s","_HOSTNAME":"edge07"}`+"\n"),
		each("fluent-bit", `{"date":1763661932.12,"log":"%s","kubernetes":{"pod_name":"web-1"}}`+"\n"),
		{"a JSON string", ".json", func(lines []string) string { return `{"tls":{"key":"` + strings.Join(lines, `\n`) + `\n"}}` + "\n" }},
		{"YAML", ".yaml", func(lines []string) string { return "tls:\n  key: |\n    " + strings.Join(lines, "\n    ") + "\n" }},
		{"text whose first line is cut off", ".log", func(lines []string) string { return strings.Join(lines[1:], "\n") + "\n" }},
	}
}

// A template is a text with one value.
type template struct{ name, ext, text string }

func identityContexts() []template {
	return []template{
		{"a log's line", ".log", "connecting to %s failed\n"},
		{"logfmt", ".log", "level=info msg=connect from=%s n=2\n"},
		{"quoted", ".log", "lookup \"%s\": no such entry\n"},
		{"JSON", ".json", `{"msg":"peer","peer":"%s"}` + "\n"},
		{"YAML", ".yaml", "peers:\n- %s\n"},
		{"CRI", ".log", stamp + " stderr F peer %s is gone\n"},
	}
}

// nodeContexts are places that name a node without a domain and say that it is one.
func nodeContexts() []template {
	return []template{
		{"spec.nodeName", ".yaml", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: web-1\nspec:\n  nodeName: %s\n"},
		{"audit, object of nodes", ".log", `{"kind":"Event","apiVersion":"audit.k8s.io/v1","verb":"patch","objectRef":{"resource":"nodes","name":"%s","subresource":"status"}}` + "\n"},
		{"audit, user of a kubelet", ".log", `{"kind":"Event","apiVersion":"audit.k8s.io/v1","verb":"get","user":{"username":"system:node:%s","groups":["system:nodes"]}}` + "\n"},
		{"kubectl get nodes", ".txt", "NAME        STATUS   ROLES    AGE   VERSION\n%s   Ready    worker   10d   v1.34.1\n"},
		{"kubectl describe pod", ".txt", "Name:         web-1\nNamespace:    shop\nNode:         %s/10.0.0.7\nStart Time:   Fri, 20 Nov 2026 18:05:32 +0000\n"},
		{"scheduler's event", ".txt", "LAST SEEN   TYPE     REASON      OBJECT      MESSAGE\n5s          Normal   Scheduled   pod/web-1   Successfully assigned shop/web-1 to %s\n"},
		{"node Lease", ".yaml", "apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata:\n  name: %s\n  namespace: kube-node-lease\nspec:\n  holderIdentity: %s\n"},
		{"event's host", ".yaml", "apiVersion: v1\nkind: Event\nmetadata:\n  name: web-1.1\nreportingInstance: %s\nsource:\n  component: kubelet\n  host: %s\n"},
	}
}

// Survivors are texts in which nothing may change: what a reader and triage need.
func Survivors(seed uint64) []string {
	r := rand.New(rand.NewPCG(seed, 43))
	hex := func(n int) string { return pick(r, "0123456789abcdef", n) }
	uuid := func() string {
		return hex(8) + "-" + hex(4) + "-4" + hex(3) + "-9" + hex(3) + "-" + hex(12)
	}
	var all []string
	for range 10 {
		all = append(all,
			"  uid: "+uuid(),
			`{"metadata":{"uid":"`+uuid()+`","resourceVersion":"`+pick(r, "123456789", 8)+`","generation":3}}`,
			"image: docker.io/library/nginx@sha256:"+hex(64),
			"imageID: sha256:"+hex(64),
			"containerID: containerd://"+hex(64),
			"  creationTimestamp: \"2026-11-20T18:05:32Z\"",
			"  name: web-"+hex(9)+"-"+pick(r, "bcdfghjklmnpqrstvwxz2456789", 5),
			"pod-template-hash: "+hex(9),
			"goroutine "+pick(r, "123456789", 4)+" [select, 3 minutes]:",
			"example.com/shop/cart.(*Store).run(0xc000"+hex(6)+", 0x"+hex(4)+")",
			"\t/src/example.com/shop/cart/store.go:"+pick(r, "123456789", 3)+" +0x"+hex(3),
			"commit "+hex(40),
			"etag W/\""+hex(16)+"\" took "+pick(r, "123456789", 3)+"ms",
			"trace_id="+hex(32)+" span_id="+hex(16),
			`"auditID":"`+uuid()+`"`,
		)
	}
	return all
}
