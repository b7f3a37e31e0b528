package redact

import "testing"

func TestOnlyWhatCanBeKeptIsAccepted(t *testing.T) {
	for _, good := range append(Kinds(), "IP", "10.0.0.1", "10.0.0.0/8", "fe80::/10", "::1", "db.acme.net", ".acme.net", "node-1", "node_1", "web1", "3.de") {
		if !CanKeep(good) {
			t.Errorf("%q was refused", good)
		}
	}
	for _, bad := range []string{"", " ", ".", "10.0.0.0/33", "300.1.2.3", "10.0.0", "1234", "*.corp", "ip,host", "hosts", "a b.c", "^db-.*", "-x.y", "db.acme.net/24"} {
		if CanKeep(bad) {
			t.Errorf("%q passed", bad)
		}
	}
}
