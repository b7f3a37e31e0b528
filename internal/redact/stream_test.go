package redact

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
)

func stream(t *testing.T, name, in string) string {
	t.Helper()
	var out strings.Builder
	if err := NewText(Options{}).Copy(&out, strings.NewReader(in), name); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestListsLongerThanAUnitAreCutBetweenObjects(t *testing.T) {
	var yaml, json strings.Builder
	yaml.WriteString("apiVersion: v1\nitems:\n")
	json.WriteString("{\n  \"apiVersion\": \"v1\",\n  \"items\": [")
	const n = 5000
	pad := strings.Repeat("x", 4000)
	for i := range n {
		kind, value := "Secret", "c2VjcmV0"
		if i%2 == 1 {
			kind, value = "ConfigMap", "kept"
		}
		if i < 1000 {
			fmt.Fprintf(&yaml, "- apiVersion: v1\n  data:\n    key: %s\n  kind: %s\n  metadata:\n    name: %s\n", value, kind, pad[:400])
		}
		fmt.Fprintf(&json, "%s\n    {\n      \"apiVersion\": \"v1\",\n      \"data\": {\n        \"key\": \"%s\"\n      },\n      \"pad\": \"%s\",\n      \"kind\": \"%s\"\n    }", strings.Repeat(",", min(i, 1)), value, pad, kind)
	}
	yaml.WriteString("kind: List\n")
	json.WriteString("\n  ],\n  \"kind\": \"List\"\n}\n")
	if yaml.Len() < unitSize || json.Len() < maxUnit {
		t.Fatalf("%d and %d bytes are no test", yaml.Len(), json.Len())
	}
	for name, c := range map[string]struct {
		in   string
		kept int
	}{"list.yaml": {yaml.String(), 500}, "list.json": {json.String(), n / 2}} {
		out := stream(t, name, c.in)
		if strings.Contains(out, "c2VjcmV0") {
			t.Errorf("%s: a secret is left", name)
		}
		if kept := strings.Count(out, "kept"); kept != c.kept {
			t.Errorf("%s: %d of %d values of ConfigMaps were kept", name, kept, c.kept)
		}
		if want := strings.ReplaceAll(c.in, "c2VjcmV0", Dropped); out != want {
			t.Errorf("%s: something else changed", name)
		}
	}
}

func TestATableOfNodesGoesOnInTheNextPieceOfAStream(t *testing.T) {
	const rows = "NAME        STATUS   ROLES    AGE   VERSION   INTERNAL-IP\nalpha-one   Ready    <none>   10d   v1.34.1   10.1.2.3\n"
	for name, c := range map[string]struct{ in, want string }{
		"no line end at the end": {rows + "kestrel-box Ready <none> 10d v1.34.1 10.1.2.4", "host-2 Ready <none> 10d v1.34.1 ip-2"},
		"only a header before":   {rows[:strings.Index(rows, "alpha")] + "kestrel-box Ready <none>", "host-1 Ready <none>"},
		"another word is no row": {rows + "kestrel-box: 10.1.2.4", "kestrel-box: ip-2"},
		"behind an empty line":   {rows + "\nkestrel-box is fine", "\nkestrel-box is fine"},
		"behind another header":  {rows + "NAME        READY\nkestrel-box 1/1", "NAME        READY\nkestrel-box 1/1"},
	} {
		if out := stream(t, "", c.in); !strings.HasSuffix(out, "\n"+c.want) || strings.Contains(out, "alpha-one") {
			t.Errorf("%s:\n%s\nwant it to end with %q", name, out, c.want)
		}
	}
	var long strings.Builder
	long.WriteString(rows)
	for i := range 8000 {
		fmt.Fprintf(&long, "kestrel-%05d Ready <none> 10d v1.34.1 10.1.%d.%d\n", i, i/250, i%250)
	}
	if long.Len() < unitSize {
		t.Fatalf("%d bytes are no test", long.Len())
	}
	if out := stream(t, "", long.String()); strings.Contains(out, "kestrel") {
		t.Errorf("%d nodes of a table that is longer than a unit are left", strings.Count(out, "kestrel"))
	}
}

func TestALineLongerThanAUnitIsCutBehindAWord(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes long: make slow runs it")
	}
	line := strings.Repeat("lost 10.0.0.1 ", maxUnit/10)
	out := stream(t, "a.log", line+"\nnext 10.0.0.1\n")
	if strings.Contains(out, "10.0.0.1") || !strings.HasSuffix(out, "\nnext ip-1\n") || strings.Count(out, "ip-1") != maxUnit/10+1 {
		t.Error("an address is left, or was cut")
	}
}

func TestWithoutAKindInReachDataIsASecrets(t *testing.T) {
	long := `{"data":{"key":"c2VjcmV0"},"pad":"` + strings.Repeat("x", maxUnit) + `","kind":"ConfigMap"}`
	if out := stream(t, "a.json", long); strings.Contains(out, "c2VjcmV0") {
		t.Error("data whose kind can't be told was kept")
	}
	if out := stream(t, "ns/core/secrets.json", `{"items":[{"data":{"key":"c2VjcmV0"}}]}`); strings.Contains(out, "c2VjcmV0") {
		t.Error("secrets.json kept an element without a kind")
	}
	if out := stream(t, "a.json", `{"items":[{"data":{"key":"c2VjcmV0"}}]}`); !strings.Contains(out, "c2VjcmV0") {
		t.Error("near miss: an object without a kind, which no Secret is, lost its data")
	}
}

func TestYAMLOfEveryShape(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"kind in front":    {"kind: Secret\ndata:\n  a: b\ntype: Opaque\n", "kind: Secret\ndata:\n  a: redacted\ntype: Opaque\n"},
		"kind behind":      {"data:\n  a: b\n  c: \"d\"\nkind: Secret\n", "data:\n  a: redacted\n  c: \"redacted\"\nkind: Secret\n"},
		"no Secret":        {"data:\n  a: b\nkind: ConfigMap\n", "data:\n  a: b\nkind: ConfigMap\n"},
		"block":            {"kind: Secret\nstringData:\n  a: |\n    x: y\n    z\n  b: c\nx: y\n", "kind: Secret\nstringData:\n  a: |\n    redacted\n    redacted\n  b: redacted\nx: y\n"},
		"two documents":    {"data:\n  a: b\nkind: ConfigMap\n---\ndata:\n  a: b\nkind: Secret\n", "data:\n  a: b\nkind: ConfigMap\n---\ndata:\n  a: redacted\nkind: Secret\n"},
		"manifest inside":  {"kind: ConfigMap\ndata:\n  m.yaml: |\n    kind: Secret\n    data:\n      a: b\n", "kind: ConfigMap\ndata:\n  m.yaml: |\n    kind: Secret\n    data:\n      a: redacted\n"},
		"password block":   {"kind: X\npassword: |\n  two\n  lines\nuser: joe\n", "kind: X\npassword: |\n  password-1\n  password-2\nuser: joe\n"},
		"quoted, on":       {"kind: X\npassword: \"begins\n  goes on\"\nuser: joe\n", "kind: X\npassword: \"password-1\n  password-2\nuser: joe\n"},
		"variable":         {"kind: X\nenv:\n- name: A_TOKEN\n  value: b\n- name: PORT\n  value: b\n", "kind: X\nenv:\n- name: A_TOKEN\n  value: password-1\n- name: PORT\n  value: b\n"},
		"value in front":   {"kind: X\nenv:\n- value: b\n  name: A_TOKEN\n", "kind: X\nenv:\n- value: password-1\n  name: A_TOKEN\n"},
		"arguments":        {"kind: X\nargs:\n- --token\n- b1\n- --v\n- b1\n", "kind: X\nargs:\n- --token\n- password-1\n- --v\n- b1\n"},
		"variable in flow": {"kind: X\nenv:\n- {name: A_TOKEN, value: \"b c\"}\n- {value: b, name: DB_PASSWORD}\n- {name: PORT, value: b}\n", "kind: X\nenv:\n- {name: A_TOKEN, value: \"password-1\"}\n- {value: password-2, name: DB_PASSWORD}\n- {name: PORT, value: b}\n"},
		"flow of flows":    {"kind: X\nenv: [{name: A_TOKEN, value: b}, {name: PORT, value: b}, {name: B_TOKEN, valueFrom: {secretKeyRef: {name: s, key: value}}}]\n", "kind: X\nenv: [{name: A_TOKEN, value: password-1}, {name: PORT, value: b}, {name: B_TOKEN, valueFrom: {secretKeyRef: {name: s, key: value}}}]\n"},
		"flow arguments":   {"kind: X\nargs: [\"--token\", \"b1\", --v, b1, --token=c2]\n", "kind: X\nargs: [\"--token\", \"password-1\", --v, b1, --token=token-1]\n"},
		"from a Secret":    {"kind: X\nenv:\n- name: A_TOKEN\n  valueFrom:\n    secretKeyRef:\n      key: token\n      name: s\n", "kind: X\nenv:\n- name: A_TOKEN\n  valueFrom:\n    secretKeyRef:\n      key: token\n      name: s\n"},
		"kubeconfig":       {"kind: Config\nusers:\n- name: a\n  user:\n    client-key-data: Zm9v\n    token: b4nana\n", "kind: Config\nusers:\n- name: a\n  user:\n    client-key-data: password-1\n    token: token-1\n"},
		"node":             {"kind: Pod\nspec:\n  nodeName: edge\nstatus:\n  message: edge is gone\n", "kind: Pod\nspec:\n  nodeName: host-1\nstatus:\n  message: edge is gone\n"},
		"key in a block":   {"kind: X\ncert: |\n  -----BEGIN PRIVATE KEY-----\n  MIIabc\n  -----END PRIVATE KEY-----\nip: 10.0.0.1\n", "kind: X\ncert: |\n  -----BEGIN PRIVATE KEY-----\n  pem-1\n  -----END PRIVATE KEY-----\nip: ip-1\n"},
		"host in a key":    {"kind: Secret\ndata:\n  db01.acme.com.key: a\n", "kind: Secret\ndata:\n  host-1.key: redacted\n"},
		"carriage returns": {"kind: Secret\r\ndata:\r\n  a: b\r\n", "kind: Secret\r\ndata:\r\n  a: redacted\r\n"},
	} {
		if got := stream(t, "x.yaml", c.in); got != c.want {
			t.Errorf("%s:\n%s\n got:\n%s\nwant:\n%s", name, c.in, got, c.want)
		}
	}
}

func TestABrokenSourceGivesWhatCameBefore(t *testing.T) {
	var out bytes.Buffer
	err := NewText(Options{}).Copy(&out, io.MultiReader(strings.NewReader("10.0.0.1\npassword=hunter2"), brokenReader{}), "a.log")
	if err == nil || out.String() != "ip-1\npassword=password-1" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestValuesAreRedactedAndCodeIsNot(t *testing.T) {
	type inner struct {
		Node     string `json:"node"`
		Function string `json:"function"`
		File     string `json:"file"`
		Text     string `json:"text"`
	}
	v := struct {
		List []inner
		Map  map[string]any
		Ptr  *inner
	}{
		[]inner{{"edge", "go.acme.com/x.(*T).M", "/home/jane/go.acme.com/x.go", "edge07 at 10.0.0.1"}}, map[string]any{"a": "10.0.0.1", "b": 3}, &inner{Text: "password=hunter2"},
	}
	text := NewText(Options{})
	text.Know("edge07")
	text.Values(&v)
	if v.List[0] != (inner{"host-2", "go.acme.com/x.(*T).M", "/home/user-1/go.acme.com/x.go", "host-1 at ip-1"}) && v.List[0] != (inner{"host-1", "go.acme.com/x.(*T).M", "/home/user-1/go.acme.com/x.go", "host-2 at ip-1"}) {
		t.Errorf("%+v", v.List[0])
	}
	if v.Map["a"] != "ip-1" || v.Map["b"] != 3 || v.Ptr.Text != "password=password-1" {
		t.Errorf("%+v %+v", v.Map, v.Ptr)
	}
}

func TestWordsOfTheUser(t *testing.T) {
	text := NewText(Options{Hide: []string{"Acme", "Big Corp", "Müller"}, Keep: []string{"corp.example.com", "db.acme.net", "10.1.0.0/16"}})
	got := text.String("acme's ACME-prod acmeist big corp müller x.db.acme.net 10.1.2.3 10.2.2.3 y.corp.example.com")
	if want := "word-1's word-1-prod acmeist word-2 word-3 x.db.word-1.net 10.1.2.3 ip-1 y.corp.example.com"; got != want {
		t.Errorf("\n%s\n%s", got, want)
	}
}

func TestNewPseudonymsAvoidThoseOfACopy(t *testing.T) {
	if got := NewText(Options{}).String("host-3 ip-7 10.0.0.1 db.acme.com"); got != "host-3 ip-7 ip-8 host-4" {
		t.Error(got)
	}
}
