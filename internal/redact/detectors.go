package redact

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// A detector is one kind of secret: where it is, and the class of what replaces it. A kind more is a row more.
type detector struct {
	name  string
	class Class

	// keys are what the names of keys end in, or are where = precedes them, once their separators, case and trailing
	// digits are off: the value of such a key is the secret.
	keys string
	kind keyKind

	// begins are what a word begins with that is a secret and goes on for min bytes: those of a word, or where more is
	// set, those of one of its classes. form, where set, is all of it instead. Behind a colon pair bytes more are part
	// of it. Where sep is set, the secret is what follows it behind the word.
	begins string
	min    int
	more   uint8
	form   string
	pair   int

	// words precede the value, behind sep, where before matches what precedes them in their line: the value is read as
	// that of a key, or where more is set, of the bytes of its classes. colon: what follows a colon in it is the
	// secret.
	words, before, sep string
	colon              bool

	prev byte // precedes the word, where set
	// accept checks what lies between i and j: the value, or the rest of the word.
	accept func(b []byte, i, j int) bool
}

// detectors are all kinds of secrets that their key, their beginning or the words before them show. The names of keys
// are those that Kubernetes (kubeconfig, Secret types, bootstrap tokens), Docker, cloud providers' SDKs and common
// programs give their secrets; the beginnings are those that issuers document for secret scanners.
var detectors = []detector{
	{name: "password", class: Password, kind: keyPassword, keys: "password passwd passphrase passwordhash passwords " +
		"passwort =pass =mysqlpwd =pgpwd =dbpw =bindpw =rootpw =pw"},
	{name: "PWD", class: Password, kind: keyDir, keys: "pwd"},
	{name: "token", class: Token, kind: keyToken, keys: "token tokenvalue xamzsignature accesskeyid sessionid bearer"},
	{name: "Authorization", class: Token, kind: keyHeader, keys: "authorization"},
	{name: "cookie", class: Token, kind: keyCookie, keys: "=cookie setcookie"},
	{name: "auth", class: Token, kind: keyAuth, keys: "=auth =sig"},
	{name: "key", class: Password, kind: keyOther, keys: "clientsecret appsecret apisecret sharedsecret " +
		"cookiesecret jwtsecret consumersecret passwordvalue secretvalue apikey secretkey privatekey accesskey " +
		"accountkey sharedkey encryptionkey signingkey masterkey sessionkey certificatekey tlskey sshkey authkey " +
		"hmackey keydata certificatedata authoritydata dockerconfigjson dockercfg connectionstring storagekey " +
		"secretkeybase clienttoken"},
	{name: "secret or its name", class: Password, kind: keyName, keys: "secret credentials credential"},
	{name: "host", class: Host, kind: keyHost, keys: "nodename hostname dnsname domainname fqdn remotehost dbhost " +
		"=host =node =domain =basedomain"},

	{name: "JSON Web Token", class: Token, begins: "eyJ", min: 21, more: isBase64 | isDot},
	{name: "PEM in base64", class: PEM, begins: "LS0tLS1CRUdJ", more: isBase64},
	{name: "DER in base64", class: PEM, begins: "MII", min: 57, more: isBase64}, // a sequence of two length bytes
	{name: "SSH key's body (RFC 4253, 6.6)", class: PEM, begins: "AAAA", min: 57, more: isBase64, prev: ' '},
	{name: "Slack", class: Token, begins: "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xapp-", min: 10},
	{name: "Slack's webhook", class: Token, begins: "hooks.slack.com", sep: "/services/"},
	{name: "Stripe", class: Token, begins: "rk_live_ rk_test_ sk_live_ sk_test_", min: 16},
	{name: "AWS key id", class: Token, begins: "AKIA ASIA AROA AIDA ABIA ACCA", min: 16, accept: keyID},
	{name: "GitHub", class: Token, begins: "github_pat_", min: 20},
	{name: "GitHub", class: Token, begins: "ghp_ gho_ ghu_ ghs_ ghr_", min: 30},
	{name: "GitLab", class: Token, begins: "glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glagent- glffct- glimt- " +
		"GR1348941", min: 20},
	{name: "Google", class: Token, begins: "GOCSPX- ya29.", min: 20},
	{name: "Google", class: Token, begins: "AIza", min: 30},
	{name: "HashiCorp Vault", class: Token, begins: "hvs. hvb. hvr.", min: 20},
	{name: "HashiCorp Vault, old", class: Token, begins: "s.", min: 24, accept: oldVaultToken},
	{name: "Docker", class: Token, begins: "dckr_pat_ dckr_oat_", min: 20},
	{name: "OpenAI, Anthropic", class: Token, begins: "sk-", min: 20, accept: drawnRest},
	{name: "AI provider", class: Token, begins: "hf_", min: 30},
	{name: "AI provider", class: Token, begins: "nvapi-", min: 30, accept: drawnRest},
	{name: "package registry", class: Token, begins: "npm_", min: 30},
	{name: "package registry", class: Token, begins: "pypi-", min: 30, accept: drawnRest},
	{name: "Grafana", class: Token, begins: "glsa_ glc_", min: 20},
	{name: "Shopify, Tailscale, webhooks", class: Token, begins: "shpat_ shpss_ tskey- whsec_", min: 20},
	{name: "SendGrid, DigitalOcean, Supabase", class: Token, begins: "SG. dop_v1_ doo_v1_ sbp_", min: 30},
	{name: "HubSpot", class: Token, begins: "pat-", min: 40, accept: drawnRest},
	{name: "age", class: Token, begins: "AGE-SECRET-KEY-", min: 20},
	{name: "age's plugins", class: Token, begins: "age-plugin-", min: 30, accept: drawnRest},
	{name: "K3s and RKE2: K10, the CA's hash, ::user:password", class: Token, begins: "K10", min: 58, pair: 1},
	{name: "Rancher: token-x7f2q:SECRET", class: Token, begins: "kubeconfig- token-", pair: 30},
	{name: "Telegram's bot", class: Token, begins: "bot 0 1 2 3 4 5 6 7 8 9", pair: 30, accept: botNumber},
	{name: "crypt(3): $6$salt$hash", class: Password, begins: "$", form: `^\$[0-9A-Za-z]{1,8}\$[\w+/=.$,-]{21,}`},
	{name: "LDAP's userPassword (RFC 2307)", class: Password, begins: "{", form: `^\{[A-Z0-9-]{1,15}\}[\w+/=-]{19,}`},

	{name: "bearer's token", class: Token, words: "Bearer bearer BEARER", sep: " ", more: isBase64 | isDot,
		accept: credentials},
	{name: "basic credentials", class: Token, words: "Basic basic BASIC", sep: " ", more: isBase64 | isDot,
		accept: func(b []byte, i, j int) bool { return credentials(b, i, j) && basicCredentials(b[i:j]) }},
	{name: "digest authentication", class: Token, words: "response", before: `Digest `, sep: "="},
	{name: "SQL's PASSWORD", class: Password, words: "password Password PASSWORD", sep: " '"},
	{name: "SQL's IDENTIFIED BY", class: Password, words: "by BY By", before: `(?i)identified $`, sep: " '"},
	{name: "netrc", class: Password, words: "password", before: `machine .*login `, sep: " "},
	{name: "netrc over lines", class: Password, words: "password", before: `^ *$`, sep: " ", accept: endsLine},
	{name: "Redis' configuration", class: Password, words: "requirepass masterauth", before: `^ *$`, sep: " "},
	{name: "-p", class: Password, words: "p", prev: '-', sep: " ",
		before: `sshpass |(docker|podman|nerdctl|helm registry) login`},
	{name: "-P of SQL Server's tools", class: Password, words: "P", prev: '-', sep: " ", before: `(sqlcmd|bcp) `},
	{name: "-a of redis-cli", class: Password, words: "a", prev: '-', sep: " ", before: `redis-cli `},
	{name: "-c of SNMP's tools", class: Password, words: "c", prev: '-', sep: " ", before: `snmp(get|walk|bulkwalk) `},
	{name: "-w of LDAP's tools", class: Password, words: "w", prev: '-', sep: " ", before: `ldap(search|modify|add) `},
	{name: "curl -u USER:PASSWORD", class: Password, words: "u user", prev: '-', sep: " ", before: `curl`, colon: true},
}

// A name is one of a detector's keys, beginnings or words.
type name struct {
	text  string
	whole bool // a key's name, not its end
	of    *compiled
}

// A table finds detectors: by the last byte of a key's name, by the first byte of a word, by a word's slot.
type table struct {
	keys, begins, words [256][]name
}

type compiled struct {
	detector
	form, before func() *regexp.Regexp
}

var tables = sync.OnceValue(func() *table {
	t := &table{}
	for _, d := range detectors {
		c := &compiled{d, onUse(d.form), onUse(d.before)}
		for key := range strings.FieldsSeq(d.keys) {
			text, whole := strings.CutPrefix(key, "=")
			last := text[len(text)-1]
			t.keys[last] = append(t.keys[last], name{text, whole, c})
		}
		for begin := range strings.FieldsSeq(d.begins) {
			t.begins[begin[0]] = append(t.begins[begin[0]], name{begin, false, c})
		}
		for word := range strings.FieldsSeq(d.words) {
			t.words[slot(word)] = append(t.words[slot(word)], name{word, true, c})
		}
	}
	return t
})

// shaped replaces what its beginning shows to be a secret in the word src[i:j], and returns where to go on, 0 where it
// is none.
func (s *scan) shaped(i, j, hi int) int {
	b := s.src
	if i > 0 && b[i-1] == '+' { // in the middle of base64
		return 0
	}
	for _, e := range tables().begins[b[i]] {
		rest := i + len(e.text)
		d := e.of
		if d.pair > 0 && (j >= hi || b[j] != ':') || !bytes.HasPrefix(b[i:j], []byte(e.text)) ||
			d.more == 0 && j-rest < d.min || d.prev != 0 && (i == 0 || b[i-1] != d.prev) {
			continue
		}
		start, end := i, j
		switch {
		case d.form != nil:
			m := d.form().FindIndex(b[i:hi])
			if m == nil {
				continue
			}
			end = i + m[1]
		case d.sep != "":
			if !bytes.HasPrefix(b[j:hi], []byte(d.sep)) {
				continue
			}
			start = j + len(d.sep)
			end = run(b, start, hi, isWord|isBase64)
		case d.more != 0:
			end = run(b, i, hi, d.more)
		}
		for d.pair > 0 && end+1 < hi && b[end] == ':' && (b[end+1] == ':' || charClass[b[end+1]]&isWord != 0) {
			end = run(b, end+1, hi, isWord)
		}
		if end-rest >= d.min && end-j >= d.pair && (d.accept == nil || d.accept(b, rest, j)) {
			s.hide(d.class, start, end)
			return end
		}
	}
	return 0
}

// announced replaces the value behind the word src[i:j] where a detector's words precede one, and returns where to go
// on, 0 for none.
func (s *scan) announced(i, j, hi int) int {
	b := s.src
	for _, e := range tables().words[slot(b[i:j])] {
		d := e.of
		if string(b[i:j]) != e.text || !bytes.HasPrefix(b[j:hi], []byte(d.sep)) || j+1 >= hi ||
			d.prev != 0 && (i == 0 || b[i-1] != d.prev) || d.before != nil && !d.before().Match(s.before(i)) {
			continue
		}
		start := j + 1
		switch {
		case d.more != 0:
			if end := run(b, start, hi, d.more); d.accept(b, start, end) {
				s.hide(d.class, start, end)
				return end
			}
		case d.colon:
			if end := s.behindColon(start, hi); end > 0 {
				return end
			}
		case d.accept == nil || d.accept(b, start, hi):
			if end := s.value(kindOf(d.class), start, hi, 0, false, false); end > 0 {
				return end
			}
		}
	}
	return 0
}

// kindOf is the kind of keys whose value is of a class.
func kindOf(c Class) keyKind {
	if c == Token {
		return keyToken
	}
	return keyPassword
}

// behindColon replaces what follows the colon in the word or quoted value at v.
func (s *scan) behindColon(v, hi int) int {
	b := s.src
	if v < hi && (b[v] == '"' || b[v] == '\'') {
		v++
	}
	end := v
	for end < hi && charClass[b[end]]&isEnd == 0 && b[end] != '"' && b[end] != '\'' {
		end++
	}
	if k := bytes.IndexByte(b[v:end], ':'); k < 1 || !s.secretValue(keyPassword, v+k+1, end, false) {
		return 0
	}
	return end
}

// before is the text before i in its line, a bounded part of it.
func (s *scan) before(i int) []byte {
	const bound = 512
	line := s.src[max(0, i-bound):i]
	return line[bytes.LastIndexByte(line, '\n')+1:]
}

// drawnRest accepts what is no name: names of objects may begin with sk- or pat-.
func drawnRest(b []byte, i, j int) bool {
	rest := b[i:j]
	return bytes.ContainsAny(rest, "0123456789") &&
		(bytes.IndexByte(rest, '-') < 0 || bytes.ContainsFunc(rest, unicode.IsUpper))
}

// keyID accepts no capitalised words.
func keyID(b []byte, i, j int) bool { return j-i <= 20 && run(b, i, j, isUpper|isNumber) == j }

func oldVaultToken(b []byte, i, j int) bool {
	rest := b[i:j]
	return len(rest) == 24 && chosen(rest)
}

// botNumber accepts the number of a Telegram bot, which its token begins with, and the token's own beginning.
func botNumber(b []byte, i, j int) bool {
	return j-i >= 7 && j-i <= 10 && allDigits(b[i:j]) && bytes.HasPrefix(b[j+1:], []byte("AA"))
}

// credentials accepts what a request's header has behind the scheme.
func credentials(b []byte, i, j int) bool { return j-i >= 24 || j-i >= 8 && random(b[i:j]) }

// endsLine accepts one word up to the end of its line that does not go on as a sentence does.
func endsLine(b []byte, i, j int) bool {
	return !bytes.ContainsAny(b[i:j], " \t") && !has(afterPassword, lower(b[i:j]))
}

// bootstrapToken accepts kubeadm's [a-z0-9]{6}.[a-z0-9]{16}, with digits in both parts: names of files have them
// rarely.
func bootstrapToken(v []byte) bool {
	const digits = "0123456789"
	return len(v) == 23 && v[6] == '.' && dnsName(v) && bytes.Count(v, []byte(".")) == 1 &&
		bytes.IndexByte(v, '-') < 0 && bytes.ContainsAny(v[:6], digits) && bytes.ContainsAny(v[7:], digits)
}
