package redact

import (
	"bytes"
	"cmp"
	"net/netip"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/ingest/origin"
)

const (
	// maxHosts bounds the names that are looked for in every word: Kubernetes supports 5,000 nodes, with two names
	// each.
	maxHosts = 20_000
	// maxGroups bounds the API groups; a large OpenShift cluster has some 150.
	maxGroups = 10_000
	// maxSegment bounds the length of the first segments of names: see lexicon.
	maxSegment = 31
)

// A lexicon is what the user and the input itself show: which words are hosts and which dotted names are API groups. It
// only grows.
type lexicon struct {
	// hosts has the names by their first segment, which ends at - . _ or the name's end, the longest first.
	hosts map[string][]string
	all   map[string]bool // the hosts
	// segments has, by first byte and length, one bit for each first segment: most words fail here.
	segments [256]uint32
	groups   map[string]bool
	hide     *regexp.Regexp // begins with a word of Options.Hide, its group; nil for none
	also     []*regexp.Regexp
	keep     []string
	keepNets []netip.Prefix
	kept     map[Class]bool
}

func newLexicon(o Options) *lexicon {
	l := &lexicon{
		hosts: map[string][]string{}, all: map[string]bool{}, groups: map[string]bool{},
		also: o.Also, kept: map[Class]bool{}, keepNets: slices.Clone(everybodys),
	}
	var hide []string
	for _, w := range o.Hide {
		if w = strings.TrimSpace(w); w != "" {
			hide = append(hide, regexp.QuoteMeta(w))
		}
	}
	if len(hide) > 0 {
		slices.SortFunc(hide, func(a, b string) int { return len(b) - len(a) })
		l.hide = regexp.MustCompile(`^((?i:` + strings.Join(hide, "|") + `))(?:[^0-9A-Za-z]|$)`)
	}
	for _, k := range o.Keep {
		switch class, net, name := kept(k); {
		case class != "":
			l.kept[class] = true
		case net.IsValid():
			l.keepNets = append(l.keepNets, net)
		case name != "":
			l.keep = append(l.keep, name)
		}
	}
	return l
}

// kept is what a word of Options.Keep names: a class, a network or an address, or a host or domain.
func kept(word string) (class Class, net netip.Prefix, name string) {
	word = strings.ToLower(strings.TrimSpace(word))
	if slices.Contains(classes(), Class(word)) {
		return Class(word), net, ""
	}
	if net, err := netip.ParsePrefix(word); err == nil {
		return "", net, ""
	}
	if a, err := netip.ParseAddr(word); err == nil {
		return "", netip.PrefixFrom(a.Unmap(), a.Unmap().BitLen()), ""
	}
	return "", net, strings.TrimPrefix(word, ".")
}

// Kinds are the names of the classes, as Options.Keep has them.
func Kinds() (names []string) {
	for _, c := range classes() {
		names = append(names, string(c))
	}
	return names
}

// CanKeep reports whether Options.Keep may hold a word: a class, an address, a network, or a name of a host or domain.
// Letters alone name a class, or are a slip, and so are digits alone.
func CanKeep(word string) bool {
	class, net, name := kept(word)
	return class != "" || net.IsValid() || origin.IsDNSName(strings.ReplaceAll(name, "_", "-")) &&
		strings.Trim(name, "abcdefghijklmnopqrstuvwxyz") != "" && strings.Trim(name, "0123456789.") != ""
}

func (l *lexicon) addHost(h string) {
	first := segment(h)
	if len(l.all) >= maxHosts || l.all[h] || !distinctive(h) || len(first) > maxSegment || l.keeps([]byte(h)) {
		return
	}
	l.all[h] = true
	l.hosts[first] = append(l.hosts[first], h)
	slices.SortFunc(l.hosts[first], func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	l.segments[first[0]] |= 1 << len(first)
}

func (l *lexicon) addGroup(g []byte) {
	if len(l.groups) < maxGroups && isGroup(g) {
		l.groups[string(g)] = true
	}
}

// segment is the part of a name before its first - . or _.
func segment(h string) string {
	if i := strings.IndexAny(h, "-._"); i >= 0 {
		return h[:i]
	}
	return h
}

// distinctive accepts names that may be replaced wherever they are. A plain word may be a host's name, but it is any
// word too: only the keys that name a host replace it.
func distinctive(h string) bool {
	if len(h) < 4 || len(h) > 253 || !isAlnum(h[0]) || pseudonym([]byte(h)) ||
		run([]byte(h), 0, len(h), isWord) != len(h) || has(noNode, h) {
		return false
	}
	if _, err := netip.ParseAddr(h); err == nil {
		return false
	}
	return strings.ContainsAny(h, ".-") ||
		strings.ContainsAny(h, "0123456789") && strings.ContainsAny(strings.ToLower(h), "abcdefghijklmnopqrstuvwxyz")
}

// noNode are names that many hosts, components and values have.
var noNode = wordSet("localhost control-plane localhost.localdomain docker-desktop host-name k3s-server k3s-agent " +
	"rke2-server rke2-agent kube-system not-found kube-apiserver kube-scheduler kube-controller-manager kube-proxy")

// keeps reports names that are never replaced: public ones, API groups with their resources, and what the user wants
// kept.
func (l *lexicon) keeps(name []byte) bool {
	n := strings.ToLower(string(name))
	if public(n) || l.groups[n] || l.hide != nil && hiddenLabel().MatchString(n) ||
		slices.ContainsFunc(l.keep, func(k string) bool { return n == k || strings.HasSuffix(n, "."+k) }) {
		return true
	}
	resource, group, _ := strings.Cut(n, ".")
	return l.groups[group] && resources().MatchString(resource)
}

// hiddenLabel is a word that was hidden in a name that is kept.
var hiddenLabel = onUse(`(?:^|\.)word-\d+(?:\.|$)`)

// resources are names of resources, so that db1.GROUP isn't taken for one.
var resources = onUse(`^[a-z]{2,}s$`)

// isGroup accepts an API group with a domain.
func isGroup(name []byte) bool {
	return bytes.IndexByte(name, '.') > 0 && len(name) < 128 && dnsName(name)
}

// domainName accepts names with a top-level domain: two labels under those that hardly end anything else (also in URLs
// and mail addresses, which url says), three under those of countries and newer ones, since words of programs and files
// end in them too (it, in, app).
func domainName(name []byte, url bool) bool {
	labels, top := bytes.Count(name, []byte("."))+1, name[bytes.LastIndexByte(name, '.')+1:]
	if labels < 2 || len(name) > 253 || name[0] == '.' || name[0] == '-' || bytes.IndexByte(name, '_') >= 0 ||
		bytes.Contains(name, []byte("..")) || len(top) == 0 || len(top) > 16 {
		return false
	}
	if m := makeupOf(top); m.digits+m.other > 0 || isAlpha(top[0]) && top[0] < 'a' && top[len(top)-1] >= 'a' {
		return false // net.Org: a method
	}
	switch top = bytes.ToLower(top); {
	case has(topDomains, top):
		return true
	case has(countryDomains, top):
		return labels >= 3 || url
	case string(top) == "in": // India: words of logs end so
		return url || bytes.HasSuffix(name, []byte(".co.in")) || bytes.HasSuffix(name, []byte(".gov.in")) ||
			bytes.HasSuffix(name, []byte(".ac.in"))
	}
	return url && labels >= 3 && !bytes.Equal(top, []byte("svc"))
}

// topDomains hardly end anything but a domain.
var topDomains = wordSet("com net org edu gov mil io internal local lan corp intranet localdomain biz cloud")

// countryDomains are those of countries and newer ones.
var countryDomains = wordSet("dev app ai co tech online site xyz digital bank aws de fr uk nl ch at it es se no " +
	"dk fi pl cz be eu us ca au jp cn kr br ru tw hk sg nz za mx tr ie pt gr hu ro sk il ar cl ua ae sa lt lv ee " +
	"bg hr si lu th vn ph ir kz by rs tv ws priv private example")

// public reports names that everybody's logs hold: code hosts and registries, API groups of well-known projects,
// documentation's domains, and the names of a cluster's services. They reveal nothing of its origin; triage needs those
// of code and API groups.
func public(name string) bool {
	for rest := name; rest != ""; _, rest, _ = strings.Cut(rest, ".") {
		if has(publicDomains, rest) || strings.HasPrefix(rest, "csi.") { // a storage driver's name
			return true
		}
	}
	return false
}

var publicDomains = wordSet("localhost localhost.localdomain svc cluster.local " +
	"k8s.io kubernetes.io x-k8s.io cncf.io etcd.io helm.sh istio.io cert-manager.io " +
	"jetstack.io fluxcd.io argoproj.io tekton.dev knative.dev crossplane.io linkerd.io cilium.io " +
	"projectcalico.org tigera.io rook.io velero.io kubevirt.io cattle.io rancher.io harvesterhci.io longhorn.io " +
	"k3s.io k3d.io openshift.io okd.io operatorframework.io metal3.io ovn.org open-cluster-management.io " +
	"prometheus.io opentelemetry.io kyverno.io gatekeeper.sh spiffe.io coredns.io containerd.io golang.org " +
	"go.dev gopkg.in uber.org google.golang.org githubusercontent.com github.io github.com gitlab.com " +
	"bitbucket.org docker.io docker.com quay.io gcr.io ghcr.io pkg.dev redhat.io azurecr.io schema.org w3.org " +
	"ietf.org json-schema.org example.com example.org example.net letsencrypt.org pool.ntp.org in-addr.arpa " +
	"coreos.com kudo.dev pinniped.dev fleet.cattle.io tanzu.vmware.com cloud.google.com nvidia.com aquasec.com " +
	"snyk.io upbound.io sigstore.dev spdx.org semver.org apache.org registry.suse.com registry.opensuse.org " +
	"mcr.microsoft.com public.ecr.aws docs.redhat.com docs.openshift.com access.redhat.com bugzilla.redhat.com " +
	"www.redhat.com www.suse.com docs.rancher.com releases.rancher.com hub.docker.com eks.amazonaws.com " +
	"iam.amazonaws.com kb.io storage.gke.io go.mozilla.org modernc.org rsc.io filippo.io honnef.co nhooyr.io " +
	"maunium.net gonum.org gorm.io goauthentik.io hooks.slack.com")

// goCode reports whether the word src[i:j] is part of Go code: an import path before a function or a file. Its domain
// is then code's.
func goCode(b []byte, i, j, hi int) bool {
	for i > 0 && j-i < 512 && pathByte(b[i-1]) {
		i--
	}
	end := j
	for end < hi && end-i < 1024 && pathByte(b[end]) {
		end++
	}
	path := b[i:end]
	if bytes.IndexByte(path, '/') < 0 {
		return false
	}
	if end < hi && b[end] == '(' && bytes.IndexByte(path[bytes.LastIndexByte(path, '/')+1:], '.') > 0 {
		return true
	}
	return bytes.Contains(path, []byte(".go")) || bytes.Contains(path, []byte("/pkg/mod/")) ||
		bytes.Contains(path, []byte("/vendor/")) || bytes.Contains(path, []byte("/src/"))
}

func pathByte(c byte) bool {
	return charClass[c]&isWord != 0 || c == '/' || c == '@' || c == '%' || c == '~' || c == '+' || c == '!'
}

// extensions are those of a file's name that say what the file is, so that they aren't taken for a part of a host's
// name: node1.acme.com.zip. They follow each other, and a number of up to three digits follows .log.
var extensions = wordSet(".log .txt .yaml .yml .json .zip .tar .gz .tgz .xz .txz .zst .bz2 .pb .out .prof .pprof " +
	".conf .cfg .html .crt .pem .key .csv .toml .ini .service .previous .old .err .md")

// stemOf is a file's name without its extensions.
func stemOf(name string) string {
	for stem := name; ; name = stem {
		ext := strings.ToLower(path.Ext(name))
		stem = name[:len(name)-len(ext)]
		numbered := len(ext) > 1 && len(ext) < 5 && allDigits([]byte(ext[1:])) &&
			strings.EqualFold(path.Ext(stem), ".log")
		if stem == "" || !numbered && !has(extensions, ext) {
			return name
		}
	}
}
