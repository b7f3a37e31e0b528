package redact

import (
	"bytes"
	"encoding/base64"
	"strings"
)

// A shape is how tokens of one issuer look: a fixed beginning and at least that many further letters, digits, - and _.
type shape struct {
	begin string
	min   int
}

// shapes are grouped by their first byte. The beginnings are those that their issuers document for secret scanners:
// GitHub, GitLab, Slack, Stripe, OpenAI, Google, AWS, HashiCorp, npm, PyPI, DigitalOcean, Docker, SendGrid, Shopify,
// Grafana, Tailscale, Hugging Face, age.
var shapes = func() (t [256][]shape) {
	for _, e := range []struct {
		min    int
		begins string
	}{
		{10, "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xapp-"},
		{16, "AKIA ASIA AROA AIDA ABIA ACCA rk_live_ rk_test_ sk_live_ sk_test_"},
		{20, "AGE-SECRET-KEY- dckr_pat_ dckr_oat_ github_pat_ glpat- gldt- glrt- glsa_ glc_ hvs. hvb. hvr. sk- shpat_ " +
			"shpss_ tskey- ya29."},
		{30, "AIza SG. age-plugin- dop_v1_ doo_v1_ ghp_ gho_ ghu_ ghs_ ghr_ hf_ npm_ nvapi- pypi- sbp_"},
		{40, "pat-"},
	} {
		for begin := range strings.FieldsSeq(e.begins) {
			t[begin[0]] = append(t[begin[0]], shape{begin, e.min})
		}
	}
	return t
}()

// shaped replaces what its own shape shows to be a secret, and returns where to go on, 0 where it is none.
func (s *scan) shaped(i, j, hi int, flags uint8) int {
	b := s.src
	n := j - i
	if n < 6 || i > 0 && b[i-1] == '+' { // in the middle of base64
		return 0
	}
	if end := s.encoded(i, j, hi); end > 0 {
		return end
	}
	for _, sh := range shapes[b[i]] {
		if n >= len(sh.begin)+sh.min && bytes.HasPrefix(b[i:j], []byte(sh.begin)) && issued(sh.begin, b[i:j]) {
			s.hide(Token, i, j)
			return j
		}
	}
	if n == 23 && flags&isDot != 0 && bootstrapToken(b[i:j]) {
		s.hide(Token, i, j)
		return j
	}
	return 0
}

// encoded replaces secrets that go on past the word they begin with: base64, and tokens with colons in them. It returns
// what shaped does.
func (s *scan) encoded(i, j, hi int) int {
	b := s.src
	n := j - i
	switch b[i] {
	case 'e':
		if end := run(b, i, hi, isBase64|isDot); bytes.HasPrefix(b[i:j], []byte("eyJ")) && end-i >= 24 {
			s.hide(Token, i, end)
			return end
		}
	case 'L':
		if bytes.HasPrefix(b[i:j], []byte("LS0tLS1CRUdJ")) {
			end := run(b, i, hi, isBase64)
			s.hide(PEM, i, end)
			return end
		}
	case 'M':
		// DER of a certificate or key in base64: a sequence of two length bytes.
		if bytes.HasPrefix(b[i:j], []byte("MII")) {
			if end := run(b, i, hi, isBase64); end-i >= 60 {
				s.hide(PEM, i, end)
				return end
			}
		}
	case 'K':
		// K3s' and RKE2's node tokens: K10, the CA's hash, ::user:password.
		if n > 60 && bytes.HasPrefix(b[i:j], []byte("K10")) && j+1 < hi && b[j] == ':' {
			end := run(b, j, hi, isWord)
			for end < hi && b[end] == ':' {
				end = run(b, end+1, hi, isWord)
			}
			s.hide(Token, i, end)
			return end
		}
	case 'k', 't':
		// Rancher's: token-x7f2q:SECRET, kubeconfig-u-x7f2q:SECRET.
		if j+20 < hi && b[j] == ':' &&
			(bytes.HasPrefix(b[i:j], []byte("kubeconfig-")) || bytes.HasPrefix(b[i:j], []byte("token-"))) {
			if end := run(b, j+1, hi, isWord); end-j > 30 {
				s.hide(Token, i, end)
				return end
			}
		}
	}
	if b[i] == 'A' && n >= 12 && bytes.HasPrefix(b[i:j], []byte("AAAA")) && i > 4 && b[i-1] == ' ' {
		if end := run(b, i, hi, isBase64); end-i > 60 { // an SSH key's body (RFC 4253, 6.6)
			s.hide(PEM, i, end)
			return end
		}
	}
	return 0
}

// issued checks what the beginning alone doesn't show: names of objects may begin with sk- or pat-, a capitalised word
// with ASIA.
func issued(begin string, word []byte) bool {
	rest := word[len(begin):]
	switch begin {
	case "sk-", "pat-", "pypi-", "age-plugin-", "nvapi-":
		upper, digits := 0, 0
		for _, c := range rest {
			if charClass[c]&isUpper != 0 {
				upper++
			}
			if isDigit(c) {
				digits++
			}
		}
		return digits > 0 && (upper > 0 || bytes.IndexByte(rest, '-') < 0)
	case "AKIA", "ASIA", "AROA", "AIDA", "ABIA", "ACCA":
		for _, c := range rest {
			if charClass[c]&isUpper == 0 && !isDigit(c) {
				return false
			}
		}
		return len(rest) <= 20
	}
	return true
}

// bootstrapToken accepts kubeadm's [a-z0-9]{6}.[a-z0-9]{16}, with digits in both parts: names of files have them
// rarely.
func bootstrapToken(v []byte) bool {
	if v[6] != '.' {
		return false
	}
	for _, part := range [][]byte{v[:6], v[7:]} {
		digits := 0
		for _, c := range part {
			if isDigit(c) {
				digits++
			} else if c < 'a' || c > 'z' {
				return false
			}
		}
		if digits == 0 {
			return false
		}
	}
	return true
}

// basicCredentials accepts base64 of user:password.
func basicCredentials(v []byte) bool {
	if len(v) > 4096 {
		return true
	}
	plain, err := base64.StdEncoding.DecodeString(string(v))
	if err != nil {
		plain, err = base64.RawURLEncoding.DecodeString(string(v))
	}
	return err == nil && bytes.IndexByte(plain, ':') >= 0
}

// cryptHash replaces crypt(3)'s hashes: $6$salt$hash, $2a$10$hash, $apr1$salt$hash.
func (s *scan) cryptHash(i, hi int) int {
	b := s.src
	k := i + 1
	for k < hi && k-i <= 8 && (isAlpha(b[k]) || isDigit(b[k])) {
		k++
	}
	if k == i+1 || k >= hi || b[k] != '$' {
		return i + 1
	}
	end := k
	for end < hi && (charClass[b[end]]&(isBase64|isDot) != 0 || b[end] == '$' || b[end] == ',') {
		end++
	}
	if end-k < 22 {
		return i + 1
	}
	s.hide(Password, i, end)
	return end
}
