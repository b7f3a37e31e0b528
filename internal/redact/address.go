package redact

import (
	"bytes"
	"net"
	"net/netip"
	"slices"
	"strings"
)

var (
	// inUse are the networks of the IPv6 addresses that anybody has (IANA, IPv6 address space), and those of NAT64 and
	// IPv4-mapped ones: times, durations and labels with colons are in none.
	inUse = prefixes("2000::/3 fc00::/6 64:ff9b::/96 ::ffff:0:0/96")
	// everybodys are addresses that mean the same on every machine: loopback, unspecified, broadcast and netmasks,
	// multicast, clouds' metadata services and the other IPv4 link-local ones. An IPv6 link-local one holds a hardware
	// address.
	everybodys = prefixes("0.0.0.0/8 127.0.0.0/8 169.254.0.0/16 224.0.0.0/3 ff00::/8 fd00:ec2::254/128")
)

func prefixes(list string) (nets []netip.Prefix) {
	for n := range strings.FieldsSeq(list) {
		nets = append(nets, netip.MustParsePrefix(n))
	}
	return nets
}

func inNets(a netip.Addr, nets []netip.Prefix) bool {
	return slices.ContainsFunc(nets, func(p netip.Prefix) bool { return p.Contains(a) })
}

// ipv6 replaces the IPv6 address that begins at i, and returns where to go on; 0 where there is none.
func (s *scan) ipv6(i, hi int) int {
	b, end := s.src, i
	for end < hi && end-i < 46 && (isHex(b[end]) || b[end] == ':' || b[end] == '.') {
		end++
	}
	text := bytes.TrimRight(b[i:end], ".:")
	if bytes.HasSuffix(b[i:end], []byte("::")) {
		text = b[i:end]
	}
	// A time has colons too, but too few.
	if bytes.Count(text, []byte(":")) != 7 && !bytes.Contains(text, []byte("::")) ||
		end < hi && charClass[b[end]]&isWord != 0 && b[end] != '-' {
		return 0
	}
	a, err := netip.ParseAddr(string(text))
	if err != nil || !inNets(a, inUse) {
		return 0
	}
	s.hideAddr(a, i, i+len(text))
	return i + len(text)
}

// hideAddr gives an address its pseudonym, one for all its spellings, unless it identifies nothing.
func (s *scan) hideAddr(a netip.Addr, start, end int) {
	var room [64]byte
	if a = a.Unmap(); !inNets(a, s.lex.keepNets) {
		s.put(IP, start, end, a.AppendTo(room[:0]))
	}
}

// mac replaces the hardware address that begins at i: six pairs, no more, with sep between them, or three groups of
// four digits with dots.
func (s *scan) mac(i, hi int, sep byte) bool {
	b, end := s.src, i+17
	if sep == '.' {
		end = i + 14
	}
	if end > hi || i > 0 && b[i-1] == sep || end < hi && (isAlnum(b[end]) || b[end] == '_' ||
		b[end] == sep && end+1 < hi && isHex(b[end+1])) || sep == '.' && run(b, i, end, isNumber|isDot) == end {
		return false
	}
	hw, err := net.ParseMAC(string(b[i:end]))
	if name := hw.String(); err == nil && !has(everybodysMAC, name) {
		s.put(MAC, i, end, []byte(name))
		return true
	}
	return false
}

// everybodysMAC are none, all, and that which Calico gives on every node.
var everybodysMAC = wordSet("00:00:00:00:00:00 ff:ff:ff:ff:ff:ff ee:ee:ee:ee:ee:ee")

// quads replaces the IPv4 addresses in the word src[i:j], with dots or, where clouds and DNS make names of them,
// hyphens.
func (s *scan) quads(i, j, hi int, sep byte) bool {
	b := s.src
	found := false
	for k := i; k < j; {
		if !isDigit(b[k]) || k > i && b[k-1] != '-' && b[k-1] != '_' && b[k-1] != '.' ||
			k == i && k > 0 && b[k-1] == '.' {
			k++
			continue
		}
		a, end := quad(b, k, j, sep)
		if end == 0 || end+1 < j && b[end] == sep && isDigit(b[end+1]) && !rangeBehind(b, end, j, sep) ||
			end < j && charClass[b[end]]&isWord != 0 && charClass[b[end]]&(isDot|isDash) == 0 && b[end] != '_' {
			// No address, or more than four numbers: a version, an OID.
			for k < j && (isDigit(b[k]) || b[k] == sep) {
				k++
			}
			continue
		}
		switch {
		case sep == '-' && bytes.HasSuffix(b[i:k], []byte("ip-")): // a node of AWS, of which its domain is a part
			if end == j || b[end] != '.' {
				s.hide(Host, k-3, end)
				found = true
			}
		case sep == '-' && !s.inName(a, i, k, end, j), sep == '.' && !found && s.isVersion(a, i, k, end, hi):
			// No address.
		default:
			s.hideAddr(a, k, end)
			found = true
		}
		k = end
	}
	return found
}

// inName reports whether four numbers with hyphens in the word src[i:j] can hardly be anything but an address: a
// private one (10-42-0-7.default.pod), or a public one in a host's name, as providers and clouds make such:
// 203-0-113-77.static.example.org, ec2-54-12-33-44.
func (s *scan) inName(a netip.Addr, i, k, end, j int) bool {
	b := s.src
	if a.IsPrivate() || !a.IsGlobalUnicast() {
		return a.IsPrivate()
	}
	dotted := end < j && b[end] == '.' && end+1 < j && isAlpha(b[end+1])
	return dotted && a.As4()[0] >= maxVersion || k-i == 4 && string(b[i:k]) == "ec2-"
}

// rangeBehind accepts 10.0.0.1-10.0.0.9 as two addresses.
func rangeBehind(b []byte, end, j int, sep byte) bool {
	if sep != '.' || b[end] != '-' {
		return false
	}
	_, second := quad(b, end+1, j, sep)
	return second > 0
}

// quad reads four numbers up to 255 with sep between them; end is 0 where there are none.
func quad(b []byte, k, j int, sep byte) (a netip.Addr, end int) {
	var q [4]byte
	for n := range q {
		if n > 0 {
			if k >= j || b[k] != sep {
				return a, 0
			}
			k++
		}
		start, v := k, 0
		for k < j && k-start < 4 && isDigit(b[k]) {
			v = v*10 + int(b[k]-'0')
			k++
		}
		if k == start || v > 255 || k-start > 1 && b[start] == '0' {
			return a, 0
		}
		q[n] = byte(v)
	}
	return netip.AddrFrom4(q), k
}

// maxVersion is the first number from which what may be both is an address: products with versions of four numbers up
// to 255 stay below.
const maxVersion = 40

var versionKeys = []string{"version", "release", "build", "tag", "firmware", "driver", "revision"}

// isVersion separates versions of four numbers from addresses by the text around them. Where that leaves both open,
// addresses of private networks and those above maxVersion are addresses: hardly any version has 10, 172.16 or 192.168
// in front.
func (s *scan) isVersion(a netip.Addr, i, k, end, hi int) bool {
	b := s.src
	from := min(i, s.from)                                  // what was replaced is no key, as in a copy
	key := wordBefore(b[from:], i-from, 6, 10, " \"=:'\\(") // version 1.2.3.4, "release": "1.2.3.4"
	if key == "ver" ||                                      // and no server
		slices.ContainsFunc(versionKeys, func(word string) bool { return strings.HasSuffix(key, word) }) {
		return true
	}
	open := k > i && b[k-1] != '.' && !bytes.HasSuffix(b[i:k], []byte("ip-")) // name-1.2.3.4, name_1.2.3.4
	if end < hi && !open && bytes.IndexByte([]byte("-_+~^"), b[end]) >= 0 {   // 1.2.3.4-rc1, 1.2.3.4+build
		open = !rangeBehind(b, end, hi, '.')
	}
	if k == i && i > 1 { // Chrome/91.0.4.1
		open = open || b[i-1] == '/' && isAlnum(b[i-2]) || b[i-1] == ':' && imageName(b, i-1)
	}
	return open && !a.IsPrivate() && a.As4()[0] < maxVersion
}

// imageName reports whether what ends at i is a container image's name: it has a slash.
func imageName(b []byte, i int) bool {
	for k := i; k > 0 && i-k < 128; k-- {
		switch c := b[k-1]; {
		case c == '/':
			return k < 2 || b[k-2] != '/'
		case charClass[c]&isWord == 0:
			return false
		}
	}
	return false
}
