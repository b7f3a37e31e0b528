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

	// begins are what a word begins with that goes on for min bytes and is a secret; words are whole words that precede
	// one, with sep behind them. prev precedes the word, before matches what does in its line.
	begins, words string
	holds         string // what a long word holds that is a secret
	min           int
	prev          byte
	sep           string
	before        string

	// Where the secret is, if not in the word that begins so, or as a key's value behind the one that precedes it: in
	// what has one of the classes of more, in what form matches or its group, or right behind begins, as a value.
	more     uint8
	form     string
	attached bool

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
	{name: "token", class: Token, kind: keyToken, keys: "token tokenvalue xamzsignature xgoogsignature " +
		"xamzcredential accesskeyid sessionid bearer jsessionid phpsessid"},
	{name: "Authorization", class: Token, kind: keyHeader, keys: "authorization"},
	{name: "cookie", class: Token, kind: keyCookie, keys: "=cookie setcookie"},
	{name: "auth", class: Token, kind: keyAuth, keys: "=auth salt"},
	{name: "key", class: Password, kind: keyOther, keys: "clientsecret appsecret apisecret sharedsecret " +
		"cookiesecret jwtsecret consumersecret passwordvalue secretvalue apikey secretkey privatekey accesskey " +
		"accountkey sharedkey encryptionkey signingkey masterkey sessionkey certificatekey tlskey sshkey authkey " +
		"hmackey keydata certificatedata authoritydata dockerconfigjson dockercfg connectionstring storagekey " +
		"secretkeybase clienttoken"},
	{name: "secret or its name", class: Password, kind: keyName, keys: "secret credentials credential"},
	{name: "part of a query", class: Token, kind: keyQuery, keys: "=code =sig =sid =key =assertion =ticket =session " +
		"=signature =jwt =otp"},
	{name: "host", class: Host, kind: keyHost, keys: "nodename hostname dnsname domainname fqdn remotehost dbhost " +
		"=host =node =domain =basedomain"},
	{name: "machine", class: Machine, kind: keyMachine, keys: "machineid systemuuid productuuid productserial " +
		"boardserial hostid"},

	{name: "JSON Web Token", class: Token, begins: "eyJ", min: 18, more: isBase64 | isDot},
	{name: "PEM in base64", class: PEM, begins: "LS0tLS1CRUdJ", more: isBase64},
	{name: "DER in base64", class: PEM, begins: "MII", min: 54, more: isBase64}, // a sequence of two length bytes
	{name: "SSH key's body (RFC 4253, 6.6)", class: PEM, begins: "AAAA", min: 53, more: isBase64, prev: ' '},
	{name: "AWS key id", class: Token, begins: "AKIA ASIA AROA AIDA ABIA ACCA", form: `^[A-Z0-9]{20,24}\b`},
	{name: "HashiCorp Vault, old", class: Token, begins: "s.",
		accept: func(b []byte, i, j int) bool { return j-i == 24 && chosen(b[i:j]) }},
	{name: "K3s and RKE2: K10, the CA's hash, ::user:password", class: Token, begins: "K10", min: 55,
		form: `^[\w.-]+(?:::?[\w.-]+)*`},
	{name: "Rancher: token-x7f2q:SECRET", class: Token, begins: "kubeconfig- token-", sep: ":",
		form: `^[\w.-]+:[\w.:-]{30,}`},
	{name: "Telegram's bot", class: Token, begins: "bot 0 1 2 3 4 5 6 7 8 9", min: 6, sep: ":AA",
		form: `^(?:bot)?\d{7,10}:AA[\w-]{28,}`},
	{name: "Slack's webhook", class: Token, begins: "hooks.slack.com", sep: "/services/",
		form: `^hooks.slack.com/services/([\w/+.=-]+)`},
	{name: "OpenShift", class: Token, begins: "sha256", sep: "~", form: `^sha256~[\w-]{40,}`},
	{name: "Azure's client secret", class: Token, begins: "~", form: `^~[\w.~-]{31,34}`, accept: azureSecret},
	{name: "Terraform, MaxMind", class: Token, holds: ".atlasv1. _mmk"},
	{name: "crypt(3): $6$salt$hash", class: Password, begins: "$", form: `^\$[0-9A-Za-z]{1,8}\$[\w+/=.$,-]{21,}`},
	{name: "LDAP's userPassword (RFC 2307)", class: Password, begins: "{", form: `^\{[A-Z0-9-]{1,15}\}[\w+/=-]{19,}`},
	{name: "AWS' instance", class: Machine, begins: "i-", form: `^i-[0-9a-f]{17}\b`},

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
	{name: "-p of MySQL's tools", class: Password, begins: "p", prev: '-', before: `(mysql|mariadb).* -$`,
		attached: true},
	{name: "-P of SQL Server's tools", class: Password, words: "P", prev: '-', sep: " ", before: `(sqlcmd|bcp) `},
	{name: "-a of redis-cli", class: Password, words: "a", prev: '-', sep: " ", before: `redis-cli `},
	{name: "-b of curl", class: Token, words: "b cookie", prev: '-', sep: " ", before: `curl `,
		form: `^\w+ ['"]?(\w[^\s'"=]*=[^\s'"]+)`},
	{name: "-c of SNMP's tools", class: Password, words: "c", prev: '-', sep: " ", before: `snmp(get|walk|bulkwalk) `},
	{name: "-w of LDAP's tools", class: Password, words: "w", prev: '-', sep: " ", before: `ldap(search|modify|add) `},
	{name: "USER:PASSWORD of curl", class: Password, words: "u user", prev: '-', sep: " ", before: `curl`,
		form: `^\w+ ['"]?[^\s:'"]+:([^\s'"]+)`},
	{name: "USER:PASSWORD of a registry", class: Password, words: "creds src-creds dest-creds", prev: '-', sep: " ",
		form: `^[\w-]+ ['"]?[^\s:'"]+:([^\s'"]+)`},
	{name: "user's folder", class: User, words: "home Users", prev: '/', sep: "/", form: `^\w+/([^\s/\\'"<>:,;()]+)`,
		before: `(?:^|[^\w/.-]|//|/var|[A-Za-z]:)/$`, accept: person},
	{name: "user's folder on Windows", class: User, words: "Users", prev: '\\', sep: `\`,
		form: `^Users\\+([^\\/'"<>:|?*]+)`, accept: person},
	{name: "node in a request's path", class: Host, words: "nodes", prev: '/', sep: "/", before: `/v\d\w*/$`,
		form: `^nodes/([a-z0-9][\w.-]+)`},
}

// issuers are the beginnings of tokens by how many bytes follow at least. They are facts that issuers publish for
// scanners; the rules of gitleaks (MIT license, config/gitleaks.toml of version 8) name most of them too.
var issuers = []detector{
	{min: 10, begins: "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xapp-"}, // Slack
	{min: 16, begins: "rk_live_ rk_test_ sk_live_ sk_test_ sm_aat_ sm_pat_ sm_sat_ NRJS-"},
	{min: 20, begins: "github_pat_ glpat- gldt- glrt- glcbt- glptt- glft- glsoat- glagent- glffct- glimt- gloas- " +
		"GR1348941 GOCSPX- ya29. hvs. hvb. hvr. dckr_pat_ dckr_oat_ glsa_ glc_ shpat_ shpca_ shppa_ shpss_ " +
		"tskey- whsec_ AGE-SECRET-KEY- CCIPAT_ LTAI sq0atp- sq0csp- NRAK- NRII- PMAK-"},
	{min: 30, begins: "ghp_ gho_ ghu_ ghs_ ghr_ AIza hf_ npm_ SG. dop_v1_ doo_v1_ dor_v1_ sbp_ ATBB AKCp " +
		"api_org_ bkua_ CLOJARS_ CFPAT- dapi dp.pt. duffel_live_ duffel_test_ dt0c01. EZAK EZTK EAAA EAAC figd_ " +
		"FLWSECK_TEST- FLWPUBK_TEST- FLWSECK- fo1_ fm1_ fm2_ fio-u- gsk_ HRKU-AA lsv2_pt_ lsv2_sk_ lin_api_ nfp_ " +
		"ntn_ ops_eyJ pplx- pnu_ pul- rdme_ rubygems_ tk-us- xkeysib- sntryu_ " +
		"sntrys_ shippo_live_ shippo_test_ squ_ sqp_ sqa_ sgp_ vcp_ vercel_blob_rw_ AQVN v1.0- cmVmdGtuOj"},
	{min: 30, begins: "ATATT3 pscale_tkn_ pscale_pw_ pscale_oauth_ tfp_", more: isBase64 | isDot},
	{min: 20, begins: "sk- ico- key- p8e- live_ r8_ xai-", accept: drawnRest},
	{min: 30, begins: "nvapi- pypi- age-plugin- pat- pat. pk. t1. SK", accept: drawnRest},
}

// A name is one of a detector's keys, beginnings or words.
type name struct {
	text  string
	whole bool // a key's name, not its end; a word, not its beginning
	of    *compiled
}

// A detectorTable finds detectors: by the last byte of a key's name, by the first two bytes of a word, by a word's
// first and last. single has those that begin with one byte, held what long words hold.
type detectorTable struct {
	keys, single  [256][]name
	begins, words [1024][]name
	held          []name
}

type compiled struct {
	detector
	form, before func() *regexp.Regexp
}

func pairSlot(a, b byte) int { return (int(a)<<5 ^ int(b)) & 1023 }

var tables = sync.OnceValue(func() *detectorTable {
	t := &detectorTable{}
	for _, d := range issuers {
		d.class = Token
		t.add(d)
	}
	for _, d := range detectors {
		t.add(d)
	}
	return t
})

func (t *detectorTable) add(d detector) {
	c := &compiled{d, onUse(d.form), onUse(d.before)}
	for key := range strings.FieldsSeq(d.keys) {
		text, whole := strings.CutPrefix(key, "=")
		last := text[len(text)-1]
		t.keys[last] = append(t.keys[last], name{text, whole, c})
	}
	for text := range strings.FieldsSeq(d.begins) {
		list := &t.single[text[0]]
		if len(text) > 1 {
			list = &t.begins[pairSlot(text[0], text[1])]
		}
		*list = append(*list, name{text, false, c})
	}
	for word := range strings.FieldsSeq(d.words) {
		list := &t.words[pairSlot(word[0], word[len(word)-1])]
		*list = append(*list, name{word, true, c})
	}
	for text := range strings.FieldsSeq(d.holds) {
		t.held = append(t.held, name{text, false, c})
	}
}

// minHeld is from how many bytes on a word may be a token by what it holds: the shortest, MaxMind's, has 40.
const minHeld = 36

// shaped replaces what its beginning shows to be a secret in the word src[i:j], and returns where to go on, 0 where it
// is none.
func (s *scan) shaped(i, j, hi int) int {
	b, t := s.src, s.t.rows
	if i > 0 && b[i-1] == '+' { // in the middle of base64
		return 0
	}
	if list := t.single[b[i]]; list != nil {
		if end := s.detect(list, i, j, hi); end > 0 {
			return end
		}
	}
	if j-i < 2 {
		return 0
	}
	if j-i >= minHeld {
		for _, e := range t.held {
			if bytes.Contains(b[i:j], []byte(e.text)) && drawnRest(b, i, j) {
				s.hide(e.of.class, i, j)
				return j
			}
		}
	}
	if list := t.begins[pairSlot(b[i], b[i+1])]; list != nil {
		return s.detect(list, i, j, hi)
	}
	return 0
}

// announced replaces the value behind the word src[i:j] where a detector's words precede one, and returns where to go
// on, 0 for none.
func (s *scan) announced(i, j, hi int) int {
	if list := s.t.rows.words[pairSlot(s.src[i], s.src[j-1])]; list != nil {
		return s.detect(list, i, j, hi)
	}
	return 0
}

// detect replaces what the first detector finds in or behind the word src[i:j], and returns where to go on.
func (s *scan) detect(list []name, i, j, hi int) int {
	b := s.src
	for _, e := range list {
		rest, d := i+len(e.text), e.of
		if rest > j || e.whole && rest < j || d.more == 0 && j-rest < d.min || string(b[i:rest]) != e.text ||
			d.prev != 0 && (i == 0 || b[i-1] != d.prev) || d.sep != "" && !bytes.HasPrefix(b[j:hi], []byte(d.sep)) ||
			d.before != nil && !d.before().Match(s.before(i)) {
			continue
		}
		if end := s.found(d, i, rest, j, hi); end > 0 {
			return end
		}
	}
	return 0
}

// found is detect for one detector, whose text ends at rest. The end is that of the word, or of what was replaced.
func (s *scan) found(d *compiled, i, rest, j, hi int) int {
	b := s.src
	start, end, check := i, j, rest
	switch {
	case d.form != nil:
		m := d.form().FindSubmatchIndex(b[i:hi])
		if m == nil {
			return 0
		}
		start, end = i+m[len(m)-2], i+m[len(m)-1]
		if d.accept != nil && !d.accept(b, start, end) ||
			len(m) > 2 && !s.secretValue(kindOf(d.class), start, end, false) {
			return 0
		}
		if len(m) == 2 {
			s.hide(d.class, start, end)
		}
		return end
	case d.attached, d.more == 0 && d.words != "":
		start = rest
		if !d.attached {
			start++
		}
		if start >= hi || d.accept != nil && !d.accept(b, start, hi) {
			return 0
		}
		return s.value(kindOf(d.class), start, hi, false)
	case d.more != 0:
		if d.words != "" {
			start, check = j+1, j+1
		}
		end = run(b, start, hi, d.more)
	}
	if end-check < d.min || d.accept != nil && !d.accept(b, check, end) {
		return 0
	}
	s.hide(d.class, start, end)
	return end
}

// kindOf is the kind of keys whose value is of a class.
func kindOf(c Class) keyKind {
	switch c {
	case Token:
		return keyToken
	case User:
		return keyUser
	case Host:
		return keyHost
	}
	return keyPassword
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

// azureSecret accepts what lies behind the ~ of three characters, a digit, Q and ~.
func azureSecret(b []byte, i, _ int) bool {
	return i >= 5 && b[i-1] == 'Q' && isDigit(b[i-2]) && run(b, i-5, i, isWord) == i
}

// person accepts the name of a folder that is a user's, and not everybody's.
func person(b []byte, i, j int) bool {
	name := bytes.TrimRight(b[i:j], ".")
	verb := wordBefore(b, max(0, i-len("/home/")), 1, 8, " ")
	return len(name) > 1 && !pseudonym(name) && !has(everybody, lower(name)) && !has(verbs, verb)
}

// everybody are names of accounts that images, clouds and build systems give, and of folders beside those of users.
var everybody = wordSet("root runner dev app user ubuntu debian core admin administrator ec2-user centos fedora node " +
	"git jenkins circleci travis vagrant nonroot builder build docker gitlab-runner azureuser prow rancher opc k8s " +
	"kubernetes vscode gopher go linuxbrew public default shared all appuser nobody cloud-user " +
	"containeradministrator vsts buildkite-agent work workspace project src container nginx postgres")

// verbs are those of requests: /home/x in their paths is no folder.
var verbs = wordSet("get post put head delete patch options")

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
