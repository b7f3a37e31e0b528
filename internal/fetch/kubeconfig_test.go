package fetch

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// kubeconfig writes a kubeconfig with one cluster and one user, and returns its file.
func kubeconfig(t testing.TB, cluster, user string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kubeconfig")
	text := fmt.Sprintf(`apiVersion: v1
kind: Config
current-context: lab
contexts:
- name: lab
  context: {cluster: one, user: tester}
- name: other
  context: {cluster: one, user: nobody}
clusters:
- name: one
  cluster: {server: "https://127.0.0.1:6443", %s}
users:
- name: tester
  user: {%s}
`, cluster, user)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func encodedFile(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(data)
}

func TestAKubeconfigReachesAURL(t *testing.T) {
	a := newAuthority(t)
	cert, key := a.client(t)
	wantsCert := a.tlsServer(t, "127.0.0.1", served(DefaultPrefix))
	wantsToken := httptest.NewUnstartedServer(guarded("Bearer sesame-1234", served(DefaultPrefix)))
	wantsToken.StartTLS()
	t.Cleanup(wantsToken.Close)
	ca := writePEM(t, "CERTIFICATE", wantsToken.Certificate().Raw)
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("sesame-1234\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name          string
		s             *httptest.Server
		cluster, user string
		context       string
		access        Access
		want          string // part of the error and hint; "" for what works
	}{
		{name: "data in the file", s: wantsCert, cluster: "certificate-authority-data: " + encodedFile(t, a.file),
			user: "client-certificate-data: " + encodedFile(t, cert) + ", client-key-data: " + encodedFile(t, key)},
		{name: "files beside it", s: wantsCert, cluster: "certificate-authority: " + a.file, user: "client-certificate: " + cert + ", client-key: " + key},
		{name: "a token", s: wantsToken, cluster: "certificate-authority: " + ca, user: "token: sesame-1234"},
		{name: "a token's file beats the token", s: wantsToken, cluster: "certificate-authority: " + ca, user: "token: old-token, tokenFile: " + token},
		{name: "flags beat it", s: wantsToken, cluster: "certificate-authority: " + ca, user: "token: old-token", access: Access{BearerToken: "sesame-1234"}},
		{name: "no authority", s: wantsToken, cluster: "tls-server-name: ''", user: "token: sesame-1234", want: "unknown authority"},
		{name: "another context has no user", s: wantsToken, cluster: "certificate-authority: " + ca, user: "token: sesame-1234", context: "other", want: "401"},
		{name: "no such context", s: wantsToken, context: "prod", want: `no context "prod"`},
		{name: "a program", s: wantsToken, user: "exec: {command: /bin/false, apiVersion: v1}", want: "kubectl create token"},
		{name: "an auth provider", s: wantsToken, user: "auth-provider: {name: gcp}", want: "auth-provider"},
		{name: "acting as another", s: wantsToken, user: "token: sesame-1234, as: admin", want: "acts as"},
		{name: "no base64", s: wantsToken, cluster: "certificate-authority-data: '%%'", want: "base64"},
		{name: "half a pair", s: wantsCert, user: "client-certificate: " + cert, want: "not both"},
		{name: "no YAML", s: wantsToken, user: "token: [sesame-1234", want: "is no kubeconfig"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := options(t, c.s.URL)
			o.Access, o.Cluster.Context = c.access, c.context
			o.Cluster.Kubeconfig = kubeconfig(t, c.cluster, c.user)
			res, err := Capture(t.Context(), o)
			text := fmt.Sprint(err)
			if fe, ok := errors.AsType[*Error](err); ok {
				text += " " + fe.Hint
			}
			if c.want == "" && err != nil || !strings.Contains(text, c.want) || strings.Contains(text, "sesame") {
				t.Errorf("%s", text)
			}
			if c.want == "" && res != nil && resultOf(t, res.Manifest, ItemHeap).File == "" {
				t.Errorf("%q", results(res.Manifest))
			}
		})
	}
}

func TestAKubeconfigIsNeverIgnored(t *testing.T) {
	s := server(t, http.NotFoundHandler())
	for _, c := range []struct {
		url     string
		cluster Cluster
		hint    string
	}{
		{s.URL, Cluster{Kubeconfig: kubeconfig(t, "", "token: sesame-1234")}, "https://"},
		{"unix:///run/app.sock", Cluster{Kubeconfig: kubeconfig(t, "", "token: sesame-1234")}, "https://"},
		{"https://127.0.0.1:1", Cluster{Context: "lab"}, "--kubeconfig FILE"},
		{"https://127.0.0.1:1", Cluster{Kubeconfig: filepath.Join(t.TempDir(), "none")}, ""},
	} {
		o := options(t, "localhost:1")
		o.Target, o.Cluster = target(t, c.url), c.cluster
		_, err := newRun(o)
		if fe, ok := errors.AsType[*Error](err); !ok || !fe.Usage || !strings.Contains(fe.Hint, c.hint) {
			t.Errorf("%s %+v: %v", c.url, c.cluster, err)
		}
	}
}

// FuzzKubeconfig: a kubeconfig may be anything, and its secrets stay out of the error.
func FuzzKubeconfig(f *testing.F) {
	f.Add([]byte("current-context: a\ncontexts: [{name: a, context: {cluster: b, user: c}}]\nusers: [{name: c, user: {token: sesame-1234}}]\n"))
	f.Add([]byte("users: [{name: c, user: {token: [sesame-1234"))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "kubeconfig")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := (Access{}).addKubeconfig(path, "a"); err != nil && strings.Contains(err.Error(), "sesame-1234") {
			t.Error(err)
		}
	})
}
