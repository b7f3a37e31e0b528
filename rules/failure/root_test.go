package failure

import (
	"strings"
	"testing"

	"github.com/gotriage/triage/rules/phrase"
)

func TestTheRootOfAChainIsNamedWithItsPlace(t *testing.T) {
	for _, c := range []struct{ text, class, at, title string }{
		{`unable to load configmap based request-header-client-ca-file: Get "https://10.43.0.1:443/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication": dial tcp 10.43.0.1:443: i/o timeout`,
			"unreachable", "10.43.0.1:443", "app can't reach 10.43.0.1:443 and exits: i/o timeout (main.go:39)"},
		{`connect to database: dial tcp 10.96.14.7:5432: connect: connection refused`,
			"refused", "10.96.14.7:5432", "app can't reach 10.96.14.7:5432 and exits: connection refused (main.go:39)"},
		{`dial tcp: lookup nats.messaging.svc on 10.96.0.10:53: no such host`, "unknown host", "nats.messaging.svc",
			"app can't resolve nats.messaging.svc and exits: no such host (main.go:39)"},
		{`Get "https://vault.security.svc:8200/v1": tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time 2026-11-20T03:00:00Z is after 2026-11-01T00:00:00Z`,
			"expired certificate", "vault.security.svc:8200",
			"app can't trust vault.security.svc:8200: certificate has expired on 2026-11-01 (main.go:39)"},
		{`open /etc/ledger/config.yaml: no such file or directory`, "no file", "/etc/ledger/config.yaml",
			"app can't find /etc/ledger/config.yaml and exits: no such file or directory (main.go:39)"},
		{`write tcp 10.0.0.1:80->10.0.0.2:53124: write: permission denied`, "denied", "10.0.0.2:53124",
			"app has no permission to use 10.0.0.2:53124 and exits: permission denied (main.go:39)"},
		{`unknown flag: --retention-dayz`, "", "", "app exits: unknown flag: --retention-dayz (main.go:39)"},
		{`context deadline exceeded: connection error: desc = "dial tcp 127.0.0.1:2379: connect: connection refused"`,
			"refused", "127.0.0.1:2379", "app can't reach 127.0.0.1:2379 and exits: connection refused (main.go:39)"},
	} {
		r := Of(c.text)
		if r.Class != c.class || r.At != c.at || r.Title("app", "exits", "main.go:39") != c.title {
			t.Errorf("%s\n%q at %q: %s", c.text, r.Class, r.At, r.Title("app", "exits", "main.go:39"))
		}
	}
}

func TestATitleKeepsTheRootWhateverIsLong(t *testing.T) {
	long := strings.Repeat("very-long-name-", 12)
	for _, text := range []string{
		"open /" + long + "/config.yaml: no such file or directory",
		strings.Repeat("wrapped: ", 40) + "dial tcp 10.43.0.1:443: i/o timeout",
		strings.Repeat("wrapped: ", 40) + "what nobody knows",
	} {
		r := Of(text)
		title := r.Title(long, "exits", "main.go:39")
		root := text[strings.LastIndex(text, ": ")+2:]
		if len([]rune(title)) > phrase.MaxTitle || !strings.HasSuffix(strings.TrimSuffix(title, " (main.go:39)"), root) {
			t.Errorf("%s", title)
		}
	}
}

func TestAnErrorOfNoClassHasNoFix(t *testing.T) {
	if r := Of("required key REPORT_BUCKET missing value"); r.Fix() != "" || r.Act() != "" {
		t.Errorf("%q %q", r.Act(), r.Fix())
	}
}
