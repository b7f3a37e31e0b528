package fetch

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/fetch/kubectltest"
)

func encodedFile(t testing.TB, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(data)
}

// config is what kubectl prints of a kubeconfig whose context has this cluster and user.
func config(cluster, user string) json.RawMessage {
	return fmt.Appendf(nil, `{"clusters": [{"name": "one", "cluster": {"server": "https://127.0.0.1:6443"%s}}],
		"users": [{"name": "tester", "user": {%s}}]}`, cluster, user)
}

func TestAKubeconfigReachesAURL(t *testing.T) {
	a := newAuthority(t)
	cert, key := a.client(t)
	wantsCert := a.tlsServer(t, "127.0.0.1", served(DefaultPrefix))
	wantsToken := httptest.NewUnstartedServer(guarded("Bearer sesame-1234", served(DefaultPrefix)))
	wantsToken.StartTLS()
	t.Cleanup(wantsToken.Close)
	ca := `, "certificate-authority-data": "` + encodedFile(t, writePEM(t, "CERTIFICATE", wantsToken.Certificate().Raw)) + `"`
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("sesame-1234\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	pair := fmt.Sprintf(`"client-certificate-data": %q, "client-key-data": %q`, encodedFile(t, cert), encodedFile(t, key))
	for _, c := range []struct {
		name          string
		s             *httptest.Server
		cluster, user string
		access        Access
		want          string // part of the error and hint; "" for what works
	}{
		{name: "a certificate", s: wantsCert, cluster: `, "certificate-authority-data": "` + encodedFile(t, a.file) + `"`, user: pair},
		{name: "a token", s: wantsToken, cluster: ca, user: `"token": "sesame-1234"`},
		{name: "a token's file beats the token", s: wantsToken, cluster: ca, user: `"token": "old-token", "tokenFile": "` + token + `"`},
		{name: "flags beat it", s: wantsToken, cluster: ca, user: `"token": "old-token"`, access: Access{BearerToken: "sesame-1234"}},
		{name: "no authority", s: wantsToken, user: `"token": "sesame-1234"`, want: "unknown authority"},
		{name: "no user", s: wantsToken, cluster: ca, want: "401"},
		{name: "a program", s: wantsToken, user: `"exec": {"command": "/bin/false"}`, want: "kubectl create token"},
		{name: "an auth provider", s: wantsToken, user: `"auth-provider": {"name": "gcp"}`, want: "auth-provider"},
		{name: "acting as another", s: wantsToken, user: `"token": "sesame-1234", "as": "admin"`, want: "acts as"},
		{name: "half a pair", s: wantsCert, user: `"client-key-data": "` + encodedFile(t, key) + `"`, want: "not both"},
		{name: "another type", s: wantsToken, user: `"token": ["sesame-1234"]`, want: "is not a kubeconfig"},
	} {
		t.Run(c.name, func(t *testing.T) {
			calls := kubectltest.Install(t, kubectltest.Script{Config: config(c.cluster, c.user)})
			o := options(t, c.s.URL)
			o.Access, o.Cluster = c.access, Cluster{Kubeconfig: "admin.conf", Context: "lab"}
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
			if args := calls()[0]; args[0] != "--kubeconfig=admin.conf" || args[1] != "--context=lab" {
				t.Errorf("%q", args)
			}
		})
	}
}

func TestKubectlReadsTheKubeconfig(t *testing.T) {
	s := httptest.NewTLSServer(guarded("Bearer sesame-1234", served(DefaultPrefix)))
	t.Cleanup(s.Close)
	o := options(t, s.URL)
	o.Cluster = Cluster{Kubeconfig: realKubectl(t, s.URL, "sesame-1234")}
	if res, err := Capture(t.Context(), o); err != nil || resultOf(t, res.Manifest, ItemHeap).File == "" {
		t.Error(err)
	}
	o.Cluster.Context = "prod"
	if _, err := newRun(o); err == nil || !strings.Contains(err.Error(), "prod") {
		t.Error(err)
	}
}

func TestAKubeconfigIsNeverIgnored(t *testing.T) {
	s := server(t, http.NotFoundHandler())
	for _, c := range []struct {
		url     string
		cluster Cluster
		hint    string
	}{
		{s.URL, Cluster{Kubeconfig: "admin.conf"}, "https://"},
		{"unix:///run/app.sock", Cluster{Kubeconfig: "admin.conf"}, "https://"},
		{s.URL, Cluster{Context: "lab"}, "https://"},
	} {
		o := options(t, "localhost:1")
		o.Target, o.Cluster = target(t, c.url), c.cluster
		_, err := newRun(o)
		if fe, ok := errors.AsType[*Error](err); !ok || !fe.Usage || !strings.Contains(fe.Hint, c.hint) {
			t.Errorf("%s %+v: %v", c.url, c.cluster, err)
		}
	}
}
