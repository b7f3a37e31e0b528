package audit

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A writer that sets one value all the time changes nothing in its own server's log; the other's value is in another
// log, as patches, which never show the object whole.
func TestTwoValuesThatTwoServersSeeAreContested(t *testing.T) {
	whole := `{"kind":"CronJob","metadata":{"name":"purge","namespace":"mail"},"spec":{"schedule":"0 * * * *","suspend":false}}`
	for _, c := range []struct{ name, one, other string }{
		{"patches", `{"spec":{"suspend":true}}`, `"true"`},
		{"near: the same value", `{"spec":{"suspend":false}}`, ""},
	} {
		var a, b strings.Builder
		for i := range 12 {
			at := start.Add(time.Duration(i) * 20 * time.Second)
			a.WriteString(sample{id: fmt.Sprint("p", i), level: "Request", verb: "patch", user: "night", resource: "cronjobs",
				namespace: "mail", name: "purge", code: 200, request: c.one, at: at}.write() + "\n")
			b.WriteString(sample{id: fmt.Sprint("u", i), level: "Request", verb: "update", user: "flux", resource: "cronjobs",
				namespace: "mail", name: "purge", code: 200, request: whole, at: at.Add(7 * time.Second)}.write() + "\n")
		}
		for _, logs := range [][]string{{a.String(), b.String()}, {b.String(), a.String()}} {
			tr := readAll(t, logs...)
			set := map[string]string{}
			for i := range tr.Sets {
				if x := &tr.Sets[i]; x.Path == "spec.suspend" {
					set[tr.Actors[x.Actor].User] = x.Top().Text
				}
			}
			if moved := len(set) == 2 && set["night"] != set["flux"]; moved != (c.other != "") {
				t.Errorf("%s: %v", c.name, set)
			}
		}
	}
}

func TestLongValuesAreCutWhereTheyDiffer(t *testing.T) {
	long := strings.Repeat("x", 200)
	for _, c := range []struct{ old, is, wantOld, wantIs string }{
		{`"a"`, `"b"`, `"a"`, `"b"`},
		{long + "one", long + "two", "..." + long[:16] + "one", "..." + long[:16] + "two"},
		{"a" + long, "b" + long, "a" + long[:60] + "...", "b" + long[:60] + "..."},
	} {
		if old, is := cutApart([]byte(c.old), []byte(c.is)); old != c.wantOld || is != c.wantIs {
			t.Errorf("%q, %q", old, is)
		}
	}
}
