package redact

import (
	"bytes"
	"encoding/base64"
	"strings"
	"sync"
	"unicode"
)

// A shape is how tokens of one issuer look: a fixed beginning and at least that many further bytes, those of a word, or
// where more is set those of one of its classes.
type shape struct {
	begin string
	min   int
	more  uint8
	class Class
}

// shapes are grouped by their first byte. The beginnings are those of JWTs and of PEM and DER in base64 (a sequence of
// two length bytes), of an SSH key's body (RFC 4253, 6.6), and those that their issuers document for secret scanners:
// GitHub, GitLab, Slack, Stripe, OpenAI, Google, AWS, HashiCorp, npm, PyPI, DigitalOcean, Docker, SendGrid, Shopify,
// Grafana, Tailscale, Hugging Face, age.
var shapes = sync.OnceValue(func() *[256][]shape {
	var t [256][]shape
	for _, e := range []struct {
		min    int
		more   uint8
		class  Class
		begins string
	}{
		{21, isBase64 | isDot, Token, "eyJ"},
		{0, isBase64, PEM, "LS0tLS1CRUdJ"},
		{57, isBase64, PEM, "MII AAAA"},
		{10, 0, Token, "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xapp-"},
		{16, 0, Token, "AKIA ASIA AROA AIDA ABIA ACCA rk_live_ rk_test_ sk_live_ sk_test_"},
		{20, 0, Token, "AGE-SECRET-KEY- dckr_pat_ dckr_oat_ github_pat_ glpat- gldt- glrt- glcbt- glptt- glft- " +
			"glsoat- glagent- glffct- glimt- GR1348941 glsa_ glc_ hvs. hvb. hvr. s. sk- shpat_ shpss_ tskey- whsec_ " +
			"GOCSPX- ya29."},
		{30, 0, Token, "AIza SG. age-plugin- dop_v1_ doo_v1_ ghp_ gho_ ghu_ ghs_ ghr_ hf_ npm_ nvapi- pypi- sbp_"},
		{40, 0, Token, "pat-"},
	} {
		for begin := range strings.FieldsSeq(e.begins) {
			t[begin[0]] = append(t[begin[0]], shape{begin, e.min, e.more, e.class})
		}
	}
	return &t
})

// shaped replaces what its own shape shows to be a secret, and returns where to go on, 0 where it is none.
func (s *scan) shaped(i, j, hi int, flags uint8) int {
	b := s.src
	if j-i < 6 || i > 0 && b[i-1] == '+' { // in the middle of base64
		return 0
	}
	shapes := shapes()[b[i]]
	for k := range shapes {
		sh := &shapes[k]
		if sh.more == 0 && j-i < len(sh.begin)+sh.min || !bytes.HasPrefix(b[i:j], []byte(sh.begin)) {
			continue
		}
		end := j
		if sh.more != 0 {
			end = run(b, i, hi, sh.more)
		}
		if end-i >= len(sh.begin)+sh.min && issued(sh.begin, b, i, j) {
			s.hide(sh.class, i, end)
			return end
		}
	}
	if j+1 < hi && b[j] == ':' {
		if end := pairEnd(b, i, j, hi); end > 0 {
			s.hide(Token, i, end)
			return end
		}
	}
	if end := s.slackHook(i, j, hi); end > 0 {
		return end
	}
	if j-i == 23 && flags&isDot != 0 && bootstrapToken(b[i:j]) {
		s.hide(Token, i, j)
		return j
	}
	return 0
}

// slackHook replaces the path of a webhook of Slack: hooks.slack.com/services/T…/B…/SECRET, which grants posting.
func (s *scan) slackHook(i, j, hi int) int {
	const host, path = "hooks.slack.com", "/services/"
	b := s.src
	if string(b[i:j]) != host || !bytes.HasPrefix(b[j:hi], []byte(path)) {
		return 0
	}
	start := j + len(path)
	end := run(b, start, hi, isWord|isBase64)
	s.hide(Token, start, end)
	return end
}

// pairEnd is where the token ends that goes on behind the colon at j: K3s' and RKE2's node tokens (K10, the CA's hash,
// ::user:password), Rancher's (token-x7f2q:SECRET, kubeconfig-u-x7f2q:SECRET) and those of Telegram's bots; 0 for none.
func pairEnd(b []byte, i, j, hi int) int {
	switch {
	case j-i > 60 && bytes.HasPrefix(b[i:j], []byte("K10")):
		end := run(b, j, hi, isWord)
		for end < hi && b[end] == ':' {
			end = run(b, end+1, hi, isWord)
		}
		return end
	case bytes.HasPrefix(b[i:j], []byte("kubeconfig-")) || bytes.HasPrefix(b[i:j], []byte("token-")):
		if end := run(b, j+1, hi, isWord); end-j > 30 {
			return end
		}
	case botID(b[i:j]) && bytes.HasPrefix(b[j+1:hi], []byte("AA")):
		if end := run(b, j+1, hi, isWord); end-j > 30 {
			return end
		}
	}
	return 0
}

// botID accepts the number of a Telegram bot, which its token begins with, in URLs behind "bot".
func botID(v []byte) bool {
	v = bytes.TrimPrefix(v, []byte("bot"))
	return len(v) >= 8 && len(v) <= 10 && allDigits(v)
}

// issued checks what the beginning of the word src[i:j] alone doesn't show: names of objects may begin with sk- or
// pat-, a capitalised word with ASIA.
func issued(begin string, b []byte, i, j int) bool {
	rest := b[i+len(begin) : j]
	switch begin {
	case "sk-", "pat-", "pypi-", "age-plugin-", "nvapi-":
		return bytes.ContainsAny(rest, "0123456789") &&
			(bytes.IndexByte(rest, '-') < 0 || bytes.ContainsFunc(rest, unicode.IsUpper))
	case "AKIA", "ASIA", "AROA", "AIDA", "ABIA", "ACCA":
		return len(rest) <= 20 && run(rest, 0, len(rest), isUpper|isNumber) == len(rest)
	case "s.": // Vault's old service tokens
		return len(rest) == 24 && run(rest, 0, len(rest), isUpper|isNumber) < len(rest) &&
			bytes.ContainsAny(rest, "0123456789") && bytes.ContainsFunc(rest, unicode.IsUpper) &&
			!bytes.ContainsAny(rest, ".-_")
	case "AAAA":
		return j-i >= 12 && i > 4 && b[i-1] == ' '
	}
	return true
}

// bootstrapToken accepts kubeadm's [a-z0-9]{6}.[a-z0-9]{16}, with digits in both parts: names of files have them
// rarely.
func bootstrapToken(v []byte) bool {
	const digits = "0123456789"
	return v[6] == '.' && dnsName(v) && bytes.Count(v, []byte(".")) == 1 && bytes.IndexByte(v, '-') < 0 &&
		bytes.ContainsAny(v[:6], digits) && bytes.ContainsAny(v[7:], digits)
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
	for k < hi && k-i <= 8 && isAlnum(b[k]) {
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

// schemeHash replaces a hash of LDAP's userPassword at the brace at i, {SSHA}base64 (RFC 2307), and returns where to go
// on, 0 for none.
func (s *scan) schemeHash(i, hi int) int {
	b := s.src
	k := i + 1
	for k < hi && k-i < 16 && (charClass[b[k]]&(isUpper|isNumber|isDash) != 0) {
		k++
	}
	if k == i+1 || k >= hi || b[k] != '}' {
		return 0
	}
	end := run(b, k+1, hi, isBase64)
	if end-k < 20 {
		return 0
	}
	s.hide(Password, i, end)
	return end
}
