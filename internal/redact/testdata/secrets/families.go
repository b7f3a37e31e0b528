// Package secrets makes texts with secrets in them, for measuring how many of them a redacted copy still holds. What it
// makes depends on its seed alone. It does not know how secrets are found: families are shaped as their issuers document
// them, contexts as programs and Kubernetes write them.
package secrets

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"strings"
)

// A family is one kind of secret.
type family struct {
	name string
	// shaped means that the value shows by itself what it is, wherever it is written.
	shaped bool
	make   func(*rand.Rand) string
}

const (
	digits = "0123456789"
	lower  = "abcdefghijklmnopqrstuvwxyz"
	upper  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	alnum  = digits + lower + upper
)

func pick(r *rand.Rand, of string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = of[r.IntN(len(of))]
	}
	return string(b)
}

func bytesOf(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

func base64Of(r *rand.Rand, n int) string { return base64.StdEncoding.EncodeToString(bytesOf(r, n)) }

func urlBase64(r *rand.Rand, n int) string {
	return base64.RawURLEncoding.EncodeToString(bytesOf(r, n))
}

// words are what people build passwords of.
var words = strings.Fields("winter Summer tiger orange Falcon harbor copper Monday piano river Marble violet")

func word(r *rand.Rand) string { return words[r.IntN(len(words))] }

// fixed is a family of tokens with a beginning and n more characters.
func fixed(begin, of string, n int) func(*rand.Rand) string {
	return func(r *rand.Rand) string { return begin + pick(r, of, n) }
}

func oneOf(makers ...func(*rand.Rand) string) func(*rand.Rand) string {
	return func(r *rand.Rand) string { return makers[r.IntN(len(makers))](r) }
}

// families are all kinds of secrets with a value in one line.
func families() []family {
	return []family{
		{"password", false, func(r *rand.Rand) string { return word(r) + pick(r, digits, 2+r.IntN(3)) + word(r) }},
		{"password with punctuation", false, func(r *rand.Rand) string {
			return word(r) + pick(r, "!.?*+=", 1) + pick(r, alnum, 6) + pick(r, "!.?*+", 1)
		}},
		{"password that begins with punctuation", false, func(r *rand.Rand) string {
			return pick(r, "<{/^~", 1) + word(r) + pick(r, digits, 4)
		}},
		{"hex key", false, func(r *rand.Rand) string { return hex.EncodeToString(bytesOf(r, 16+4*r.IntN(5))) }},
		{"base64 key", false, func(r *rand.Rand) string { return base64Of(r, 24+3*r.IntN(8)) }},
		{"JWT", true, func(r *rand.Rand) string {
			enc := base64.RawURLEncoding.EncodeToString
			return enc([]byte(`{"alg":"RS256","kid":"`+pick(r, alnum, 8)+`"}`)) + "." +
				enc([]byte(`{"iss":"https://kubernetes.default.svc","sub":"`+pick(r, lower, 9)+`"}`)) + "." + urlBase64(r, 64)
		}},
		{"GitHub", true, oneOf(fixed("ghp_", alnum, 36), fixed("gho_", alnum, 36), fixed("ghs_", alnum, 36),
			func(r *rand.Rand) string { return "github_pat_" + pick(r, alnum, 22) + "_" + pick(r, alnum, 59) })},
		{"GitLab", true, oneOf(fixed("glpat-", alnum+"-_", 20), fixed("glcbt-64_", alnum, 20), fixed("glptt-", digits+"abcdef", 40),
			fixed("glft-", alnum, 20), fixed("glsoat-", alnum, 20), fixed("glagent-", alnum, 50), fixed("GR1348941", alnum, 20),
			fixed("glrt-", alnum, 20), fixed("gldt-", alnum, 20))},
		{"AWS key id", true, oneOf(fixed("AKIA", upper+"234567", 16), fixed("ASIA", upper+"234567", 16))},
		{"Google", true, oneOf(fixed("AIza", alnum+"-_", 35), fixed("ya29.", alnum+"-_", 60), fixed("GOCSPX-", alnum+"-_", 28))},
		{"Slack", true, oneOf(
			func(r *rand.Rand) string {
				return "xoxb-" + pick(r, digits, 12) + "-" + pick(r, digits, 12) + "-" + pick(r, alnum, 24)
			},
			func(r *rand.Rand) string {
				return "https://hooks.slack.com/services/T" + pick(r, digits+upper, 8) + "/B" + pick(r, digits+upper, 8) + "/" +
					pick(r, alnum, 24)
			})},
		{"Stripe", true, oneOf(fixed("sk_live_", alnum, 24), fixed("rk_live_", alnum, 24), fixed("whsec_", alnum, 32))},
		{"AI provider", true, oneOf(fixed("sk-proj-", alnum+"-_", 48), fixed("sk-ant-api03-", alnum+"-_", 80), fixed("hf_", alnum, 34))},
		{"package registry", true, oneOf(fixed("npm_", alnum, 36), fixed("pypi-AgEIcHlwaS5vcmc", alnum+"-_", 70), fixed("dckr_pat_", alnum+"-_", 27))},
		{"Vault", true, oneOf(fixed("hvs.", alnum+"-_", 90), fixed("hvb.", alnum+"-_", 90), fixed("s.", alnum, 24))},
		{"monitoring", true, oneOf(func(r *rand.Rand) string { return "glsa_" + pick(r, alnum, 32) + "_" + pick(r, "0123456789abcdef", 8) },
			func(r *rand.Rand) string { return "SG." + pick(r, alnum+"-_", 22) + "." + pick(r, alnum+"-_", 43) },
			fixed("dop_v1_", "0123456789abcdef", 64), fixed("tskey-auth-", alnum, 30), fixed("shpat_", "0123456789abcdef", 32))},
		{"cluster join", true, oneOf(
			func(r *rand.Rand) string { return pick(r, digits+lower, 6) + "." + pick(r, digits+lower, 16) },
			func(r *rand.Rand) string {
				return "K10" + pick(r, "0123456789abcdef", 64) + "::server:" + pick(r, "0123456789abcdef", 32)
			},
			func(r *rand.Rand) string {
				return "token-" + pick(r, digits+lower, 5) + ":" + pick(r, digits+lower, 54)
			})},
		{"password hash", true, oneOf(
			func(r *rand.Rand) string { return "$6$" + pick(r, alnum, 12) + "$" + pick(r, alnum+"./", 86) },
			func(r *rand.Rand) string { return "$2b$12$" + pick(r, alnum+"./", 53) },
			func(r *rand.Rand) string { return "{SSHA}" + base64Of(r, 24) },
			func(r *rand.Rand) string { return "$apr1$" + pick(r, alnum, 8) + "$" + pick(r, alnum+"./", 22) })},
		{"AGE", true, fixed("AGE-SECRET-KEY-1", upper+"234567", 58)},
	}
}

// pemKinds are the types of PEM blocks that hold secrets.
var pemKinds = []string{"PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY", "ENCRYPTED PRIVATE KEY"}

// pemBlock is a key in PEM, a line each, without line breaks; and its body's lines.
func pemBlock(r *rand.Rand) (lines, body []string) {
	kind := pemKinds[r.IntN(len(pemKinds))]
	text := base64Of(r, 400+r.IntN(600))
	lines = append(lines, "-----BEGIN "+kind+"-----")
	for len(text) > 0 {
		n := min(64, len(text))
		lines, body = append(lines, text[:n]), append(body, text[:n])
		text = text[n:]
	}
	return append(lines, "-----END "+kind+"-----"), body
}

// identities are values that name machines, networks and people.
func identities() []family {
	return []family{
		{"IPv4", true, func(r *rand.Rand) string {
			return fmt.Sprintf("10.%d.%d.%d", 1+r.IntN(254), r.IntN(255), 1+r.IntN(254))
		}},
		{"IPv6", true, func(r *rand.Rand) string {
			return fmt.Sprintf("2001:db8:%x:%x::%x", 1+r.IntN(65535), 1+r.IntN(65535), 1+r.IntN(65535))
		}},
		{"MAC", true, func(r *rand.Rand) string {
			b := bytesOf(r, 6)
			return fmt.Sprintf("%02x:%02x:%02x:%02x:%02x:%02x", b[0], b[1], b[2], b[3], b[4], b[5])
		}},
		{"MAC in Cisco's form", true, func(r *rand.Rand) string {
			b := bytesOf(r, 6)
			return fmt.Sprintf("%02x%02x.%02x%02x.%02x%02x", b[0], b[1], b[2], b[3], b[4], b[5])
		}},
		{"mail", true, func(r *rand.Rand) string {
			return pick(r, lower, 6) + "." + pick(r, lower, 7) + "@" + pick(r, lower, 9) + ".com"
		}},
		{"host", true, func(r *rand.Rand) string {
			return pick(r, lower, 5) + pick(r, digits, 2) + ".prod." + pick(r, lower, 9) + ".net"
		}},
	}
}
