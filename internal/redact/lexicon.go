package redact

import (
	"bytes"
	"cmp"
	"net/netip"
	"slices"
	"strings"
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
	hide     map[string][]string // words of Options.Hide by their first run of letters and digits, in small letters
	keep     []string
	keepNets []netip.Prefix
}

func newLexicon(hide, keep []string) *lexicon {
	l := &lexicon{
		hosts: map[string][]string{}, all: map[string]bool{}, groups: map[string]bool{}, hide: map[string][]string{},
	}
	for _, w := range hide {
		if w = strings.ToLower(strings.TrimSpace(w)); w != "" {
			first := w
			if i := strings.IndexFunc(w, func(r rune) bool { return r < 0x80 && !isAlnum(byte(r)) }); i >= 0 {
				first = w[:i]
			}
			l.hide[first] = append(l.hide[first], w)
			slices.SortFunc(l.hide[first], func(a, b string) int { return len(b) - len(a) })
		}
	}
	for _, k := range keep {
		k = strings.ToLower(strings.TrimSpace(k))
		if p, err := netip.ParsePrefix(k); err == nil {
			l.keepNets = append(l.keepNets, p)
		} else if a, err := netip.ParseAddr(k); err == nil {
			l.keepNets = append(l.keepNets, netip.PrefixFrom(a.Unmap(), a.Unmap().BitLen()))
		} else if k != "" {
			l.keep = append(l.keep, strings.TrimPrefix(k, "."))
		}
	}
	return l
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

func (l *lexicon) addGroup(g string) {
	if len(l.groups) < maxGroups && strings.IndexByte(g, '.') >= 0 {
		l.groups[g] = true
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
		run([]byte(h), 0, len(h), isWord) != len(h) || noNode[h] {
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
	if public(n) || n == "localhost" || strings.HasPrefix(n, "localhost.") {
		return true
	}
	if l.groups[n] ||
		slices.ContainsFunc(l.keep, func(k string) bool { return n == k || strings.HasSuffix(n, "."+k) }) {
		return true
	}
	resource, group, _ := strings.Cut(n, ".")
	return l.groups[group] && plural(resource)
}

// plural accepts names of resources, so that db1.GROUP isn't taken for one.
func plural(s string) bool {
	return len(s) > 2 && s[len(s)-1] == 's' &&
		!strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 || !isAlpha(byte(r)) })
}

func (l *lexicon) keepsAddr(a netip.Addr) bool {
	return slices.ContainsFunc(l.keepNets, func(p netip.Prefix) bool { return p.Contains(a) })
}

// isGroup accepts an API group with a domain.
func isGroup(name []byte) bool {
	return bytes.IndexByte(name, '.') > 0 && len(name) < 128 && dnsName(name)
}
