package fetch

import (
	"cmp"
	"errors"
	"net"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/internal/ingest/origin"
)

// DefaultPrefix is where net/http/pprof registers its pages.
const DefaultPrefix = "/debug/pprof"

// A Target is a port, a socket, a pod or a selector's pods, as ParseTarget and Pods return it.
type Target struct {
	base     *url.URL // scheme, host and the path above the pages; for a pod only the path
	socket   string
	direct   bool // a forwarded port, which is asked without a proxy
	pod      string
	workload string // the resource of kubectl whose object pod names, "" for a pod itself
	selector string
	all      bool // pods of the namespace, or of all
}

// resourceOf returns the resource that a word before the slash of a target names, as kubectl abbreviates it, with or
// without its group; "" for none whose pods are known.
func resourceOf(word string) string {
	switch word {
	case "po", "pod", "pods":
		return "pod"
	case "deploy", "deployment", "deployments", "deploy.apps", "deployment.apps", "deployments.apps":
		return "deployment"
	case "sts", "statefulset", "statefulsets", "sts.apps", "statefulset.apps", "statefulsets.apps":
		return "statefulset"
	case "ds", "daemonset", "daemonsets", "ds.apps", "daemonset.apps", "daemonsets.apps":
		return "daemonset"
	case "job", "jobs", "job.batch", "jobs.batch":
		return "job"
	}
	return ""
}

// TwoWords reports whether the arguments are TYPE NAME, which a target has as TYPE/NAME.
func TwoWords(args []string) bool {
	return len(args) == 2 && resourceOf(args[0]) != "" && origin.IsDNSName(args[1])
}

// ParsePods parses "NAME", a pod's, or "TYPE/NAME", as ParseTarget does, and refuses addresses.
func ParsePods(s, prefix string) (Target, error) {
	word, _, found := strings.Cut(s, "/")
	const hint = "TYPE/NAME with one of the types pod, deploy, sts, ds, job; for an address: triage fetch HOST:PORT"
	switch {
	case !found:
		return ParseTarget("pod/"+s, prefix)
	case resourceOf(word) != "":
		return ParseTarget(s, prefix)
	case origin.IsDNSName(word):
		return Target{}, usage(hint, "%q is not a type whose pods triage can find", word)
	}
	return Target{}, usage(hint, "the target is neither a pod nor TYPE/NAME") // it may hold a password
}

// Pods returns the target that a label selector matches. prefix is the path above the pages, "" for the default.
func Pods(selector, prefix string) (Target, error) {
	if err := checkSelector(selector); err != nil {
		return Target{}, err
	}
	p, err := parsePrefix(prefix)
	return Target{selector: selector, base: &url.URL{Path: p}}, err
}

// AllPods returns the target that is every pod of the namespace, or of all namespaces.
func AllPods(prefix string) (Target, error) {
	p, err := parsePrefix(prefix)
	return Target{all: true, base: &url.URL{Path: p}}, err
}

// ParseTarget parses ":6060", "HOST:PORT[/prefix]", "http(s)://HOST[:PORT][/prefix]", "unix:///path.sock[:/prefix]",
// "pod/NAME", or the pods of "deploy/NAME", "sts/NAME", "ds/NAME" or "job/NAME". A path is that of the pages' folder or
// of one of the pages. prefix, if not "", is that path for a target without one. Errors never repeat the text, which
// may hold a password.
func ParseTarget(s, prefix string) (Target, error) {
	word, name, _ := strings.Cut(s, "/")
	if resource := resourceOf(word); resource != "" {
		if !origin.IsDNSName(name) {
			return Target{}, usage(word+"/NAME, as kubectl get "+word+" lists it", "%q is not a valid name of a %s",
				name, resource)
		}
		p, err := parsePrefix(prefix)
		t := Target{pod: name, base: &url.URL{Path: p}}
		if resource != "pod" {
			t.workload = resource
		}
		return t, err
	}
	if rest, ok := strings.CutPrefix(s, "unix://"); ok {
		return socketTarget(rest, prefix)
	}
	if !strings.Contains(s, "://") {
		s = "http://" + withHost(s)
	} else if !strings.HasPrefix(s, "http://") && !strings.HasPrefix(s, "https://") {
		return Target{}, usage("use http://, https:// or unix://",
			"the target's scheme is not one that triage supports")
	}
	u, err := url.Parse(s)
	if err != nil {
		// The error of url.Parse repeats the URL.
		if ue, ok := errors.AsType[*url.Error](err); ok {
			err = ue.Err
		}
		return Target{}, usage("HOST:PORT or http://HOST:PORT", "the target is not an address: %v", err)
	}
	return urlTarget(u, prefix)
}

func urlTarget(u *url.URL, prefix string) (Target, error) {
	t := Target{}
	if u.User != nil {
		return t, usage("--user NAME, and the password in TRIAGE_PASSWORD or --password-file",
			"the target contains a user: every process on this machine can read the command line")
	}
	if u.Hostname() == "" {
		return t, usage("HOST:PORT, :PORT or http://HOST:PORT", "the target names no host")
	}
	if p := u.Port(); (p != "" || strings.HasSuffix(u.Host, ":")) && !isPort(p) {
		return t, usage("a port is a number from 1 to 65535", "the target's port is %q", p)
	}
	for key := range u.Query() {
		if key != "seconds" && key != "debug" && key != "gc" { // parameters of profile pages, which the plan replaces
			return t, usage("headers go with -H, credentials with --bearer-token-file or --user",
				"the target has a query string, which triage can't use")
		}
	}
	given := u.Path
	if given == "" || given == "/" {
		given = prefix
	}
	p, err := parsePrefix(given)
	t.base = &url.URL{Scheme: u.Scheme, Host: u.Host, Path: p}
	return t, err
}

func withHost(s string) string {
	host, _, _ := strings.Cut(s, "/")
	switch {
	case strings.HasPrefix(host, ":"):
		return "localhost" + s
	case host != "" && strings.Trim(host, "0123456789") == "":
		return "localhost:" + s
	}
	return s
}

func socketTarget(rest, prefix string) (Target, error) {
	file, given, found := strings.Cut(rest, ":/")
	if found {
		prefix = "/" + given
	}
	if !strings.HasPrefix(file, "/") || strings.ContainsFunc(file, isControl) {
		return Target{}, usage("unix:///run/app.sock or unix:///run/app.sock:/debug/pprof",
			"the target doesn't give the socket's full path")
	}
	p, err := parsePrefix(prefix)
	return Target{socket: file, base: &url.URL{Scheme: "http", Host: "localhost", Path: p}}, err
}

// parsePrefix returns the path of the pages' folder without a slash at its end, from that path or that of a page.
func parsePrefix(s string) (string, error) {
	if s == "" || s == "/" {
		return DefaultPrefix, nil
	}
	if !strings.HasPrefix(s, "/") || strings.ContainsFunc(s, isControl) || strings.ContainsAny(s, "?#") {
		return "", usage("a prefix is a path like "+DefaultPrefix, "%q is not a path", s)
	}
	p := path.Clean(s)
	if dir, page := path.Split(p); isPage(page) && dir != "/" {
		p = strings.TrimSuffix(dir, "/")
	}
	return p, nil
}

func isPage(name string) bool {
	return name == "symbol" || name == "trace" || name == "profile" ||
		name != "" && slices.ContainsFunc(catalogue(), func(it item) bool { return it.page == name })
}

func (t Target) isPod() bool { return t.pod != "" || t.selector != "" || t.all }

// String returns the target without credentials.
func (t Target) String() string {
	switch {
	case t.pod != "":
		return cmp.Or(t.workload, "pod") + "/" + t.pod
	case t.selector != "":
		return "pods with " + t.selector
	case t.all:
		return "pods"
	case t.socket != "":
		return "unix://" + t.socket
	case t.base == nil:
		return ""
	}
	return t.base.Scheme + "://" + t.base.Host + t.base.Path
}

// short is the target as a part of a file's name.
func (t Target) short() string {
	s := cmp.Or(t.pod, t.selector, t.base.Host)
	if t.all {
		s = "pods"
	}
	if t.socket != "" {
		s = strings.TrimSuffix(path.Base(t.socket), ".sock")
	}
	s = strings.Map(func(r rune) rune {
		if isAlphanumeric(r) || r == '.' {
			return r
		}
		return '-'
	}, s)
	return strings.Trim(s[:min(len(s), 100)], "-.")
}

func (t Target) loopback() bool {
	if t.socket != "" || t.isPod() {
		return true
	}
	host := t.base.Hostname()
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// checkSelector accepts the characters of label selectors: key=value, key!=value, key in (a, b), !key.
func checkSelector(s string) error {
	const signs = "-_./=!,() "
	foreign := func(r rune) bool { return !isAlphanumeric(r) && !strings.ContainsRune(signs, r) }
	if s == "" || len(s) > 1024 || s[0] == '-' || strings.ContainsFunc(s, foreign) {
		return usage("-l app=web", "%q is not a label selector", s)
	}
	return nil
}

func isPort(s string) bool {
	n, err := strconv.ParseUint(s, 10, 16)
	return err == nil && n > 0
}

func isAlphanumeric(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

func oneLine(s string) string {
	isSpace := func(r rune) bool { return isControl(r) || r == ' ' || r >= 0x80 && r < 0xa0 }
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "?"), isSpace), " ")
}
