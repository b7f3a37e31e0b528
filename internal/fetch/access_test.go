package fetch

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// An authority signs the certificates of a test.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	file string // its certificate
}

func newAuthority(t testing.TB) *authority {
	t.Helper()
	a := &authority{}
	tmpl := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test authority"}, NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	a.cert, a.key = sign(t, tmpl, nil)
	a.file = writePEM(t, "CERTIFICATE", a.cert.Raw)
	return a
}

// sign makes a key and its certificate, by the authority or by itself.
func sign(t testing.TB, tmpl *x509.Certificate, by *authority) (*x509.Certificate, *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	parent, parentKey := tmpl, key
	if by != nil {
		parent, parentKey = by.cert, by.key
	}
	der, err := x509.CreateCertificate(rand.Reader, tmpl, parent, &key.PublicKey, parentKey)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return cert, key
}

func writePEM(t testing.TB, kind string, der []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), strings.ToLower(strings.ReplaceAll(kind, " ", "-"))+".pem")
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// client makes a client certificate and returns its files.
func (a *authority) client(t testing.TB) (cert, key string) {
	t.Helper()
	tmpl := &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "tester"}, NotAfter: time.Now().Add(time.Hour), ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}}
	c, k := sign(t, tmpl, a)
	der, err := x509.MarshalPKCS8PrivateKey(k)
	if err != nil {
		t.Fatal(err)
	}
	return writePEM(t, "CERTIFICATE", c.Raw), writePEM(t, "PRIVATE KEY", der)
}

// tlsServer serves h with a certificate for name, and wants one of the authority from its clients.
func (a *authority) tlsServer(t testing.TB, name string, h http.Handler) *httptest.Server {
	t.Helper()
	tmpl := &x509.Certificate{SerialNumber: big.NewInt(3), NotAfter: time.Now().Add(time.Hour), ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
	if ip := net.ParseIP(name); ip != nil {
		tmpl.IPAddresses = []net.IP{ip}
	} else {
		tmpl.DNSNames = []string{name}
	}
	c, k := sign(t, tmpl, a)
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.TLS = &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{c.Raw}, PrivateKey: k}}, ClientCAs: pool, ClientAuth: tls.RequireAndVerifyClientCert}
	s.StartTLS()
	t.Cleanup(s.Close)
	return s
}

func TestTLSWithAClientCertificate(t *testing.T) {
	a := newAuthority(t)
	cert, key := a.client(t)
	good := a.tlsServer(t, "127.0.0.1", served(DefaultPrefix))
	named := a.tlsServer(t, "manager.example.com", served(DefaultPrefix))
	for _, c := range []struct {
		name   string
		s      *httptest.Server
		access Access
		hint   string // "" for what works
	}{
		{"all of it", good, Access{CACert: a.file, Cert: cert, Key: key}, ""},
		{"anybody", good, Access{InsecureSkipVerify: true, Cert: cert, Key: key}, ""},
		{"another name", named, Access{CACert: a.file, Cert: cert, Key: key, ServerName: "manager.example.com"}, ""},
		{"no authority", good, Access{Cert: cert, Key: key}, "--cacert"},
		{"no certificate", good, Access{CACert: a.file}, "--cert"},
		{"the host's name", named, Access{CACert: a.file, Cert: cert, Key: key}, "--tls-server-name"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := options(t, c.s.URL)
			o.Access = c.access
			_, err := Capture(t.Context(), o)
			fe, _ := errors.AsType[*Error](err)
			if c.hint == "" && err != nil || c.hint != "" && (fe == nil || !strings.Contains(fe.Hint, c.hint)) {
				t.Errorf("%v, hint %+v", err, fe)
			}
		})
	}
}

func TestAWrongSchemeIsNamed(t *testing.T) {
	plain := server(t, served(DefaultPrefix))
	secure := httptest.NewUnstartedServer(served(DefaultPrefix))
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	t.Cleanup(secure.Close)
	for url, hint := range map[string]string{
		strings.Replace(plain.URL, "http:", "https:", 1):  "http://HOST:PORT",
		strings.Replace(secure.URL, "https:", "http:", 1): "https://HOST:PORT",
	} {
		_, err := Capture(t.Context(), options(t, url))
		if fe, ok := errors.AsType[*Error](err); !ok || !strings.HasSuffix(fe.Hint, hint) {
			t.Errorf("%s: %v, %+v", url, err, fe)
		}
	}
}

func TestAUnixSocketIsATarget(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no sockets in its file system here")
	}
	dir, err := os.MkdirTemp("", "s") // t.TempDir is too long for a socket's path (108 bytes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	l, err := net.Listen("unix", filepath.Join(dir, "app.sock"))
	if err != nil {
		t.Fatal(err)
	}
	s := &httptest.Server{Listener: l, Config: &http.Server{Handler: served("/internal/pprof")}}
	s.Start()
	t.Cleanup(s.Close)
	o := options(t, "localhost:1")
	o.Target = target(t, "unix://"+filepath.Join(dir, "app.sock")+":/internal/pprof")
	if m := capture(t, o).Manifest; resultOf(t, m, ItemHeap).File == "" || !strings.HasPrefix(m.Target, "unix://") {
		t.Errorf("%s: %q", m.Target, results(m))
	}
}

func TestAPrefixIsWhereThePagesLie(t *testing.T) {
	s := server(t, served("/app/debug/pprof"))
	for _, path := range []string{"/app/debug/pprof", "/app/debug/pprof/", "/app/debug/pprof/heap?debug=1", "/app/debug/pprof/profile?seconds=30"} {
		o := options(t, s.URL+path)
		if m := capture(t, o).Manifest; resultOf(t, m, ItemHeap).File == "" {
			t.Errorf("%s: %q", path, results(m))
		}
	}
	_, err := Capture(t.Context(), options(t, s.URL))
	if fe, ok := errors.AsType[*Error](err); !ok || !strings.Contains(fe.Error(), "404") || !strings.Contains(fe.Hint, "path") {
		t.Errorf("%v", err)
	}
}

// guarded asks for an Authorization header, and repeats what it got instead, as a chatty server may.
func guarded(want string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if got := r.Header.Get("Authorization"); got != want {
			http.Error(w, "no: "+got, http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func TestCredentialsReachTheTarget(t *testing.T) {
	for name, c := range map[string]struct {
		want   string
		access Access
	}{
		"a token":  {"Bearer sesame-1234", Access{BearerToken: "sesame-1234"}},
		"a user":   {"Basic dGVzdGVyOnNlc2FtZQ==", Access{User: "tester", Password: "sesame"}},
		"a header": {"Signature x", Access{Headers: http.Header{"Authorization": {"Signature x"}}}},
	} {
		s := server(t, guarded(c.want, served(DefaultPrefix)))
		o := options(t, s.URL)
		o.Access = c.access
		if m := capture(t, o).Manifest; resultOf(t, m, ItemHeap).File == "" {
			t.Errorf("%s: %q", name, results(m))
		}
	}
	_, err := Capture(t.Context(), options(t, server(t, guarded("Bearer x", served(DefaultPrefix))).URL))
	if fe, ok := errors.AsType[*Error](err); !ok || !strings.Contains(fe.Hint, "--bearer-token-file") {
		t.Errorf("%v", err)
	}
}

func TestSecretsAppearNowhere(t *testing.T) {
	secrets := []string{"sesame-1234", "hunter22", "dGVzdGVyOmh1bnRlcjIy", "k-5678-key"}
	echo := func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, fmt.Sprintf("refused: %v", r.Header), http.StatusForbidden)
	}
	for name, access := range map[string]Access{
		"a token":  {BearerToken: secrets[0]},
		"a user":   {User: "tester", Password: secrets[1]},
		"a header": {Headers: http.Header{"X-Key": {secrets[3]}}},
		"a cookie": {Headers: http.Header{"Cookie": {"session=" + secrets[3]}}},
	} {
		var said strings.Builder
		check := func(where string, v any) {
			text, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range secrets {
				if strings.Contains(string(text), s) {
					t.Errorf("%s: %s tells %s: %s", name, where, s, text)
				}
			}
		}
		o := options(t, server(t, instead(map[string]http.HandlerFunc{"heap": echo})).URL)
		o.Access = access
		o.Events = func(e Event) { fmt.Fprintf(&said, "%+v %+v\n", e, e.Item) }
		m := capture(t, o).Manifest
		check("the manifest", m)
		if !strings.Contains(resultOf(t, m, ItemHeap).Error, "[secret]") {
			t.Errorf("%s: the server's text is not there: %+v", name, resultOf(t, m, ItemHeap))
		}
		o = options(t, server(t, http.HandlerFunc(echo)).URL)
		o.Access = access
		_, err := Capture(t.Context(), o)
		check("the error", err.Error())
		check("an event", said.String())
		check("a printed Access", fmt.Sprintf("%v %+v %#v %s", access, access, access, access))
	}
}

func TestCredentialsGoToNoOtherHost(t *testing.T) {
	var leaked atomic.Bool
	other := server(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" || r.Header.Get("X-Key") != "" {
			leaked.Store(true)
		}
		served(DefaultPrefix).ServeHTTP(w, r)
	}))
	s := server(t, http.RedirectHandler(other.URL+DefaultPrefix+"/heap", http.StatusFound))
	for name, access := range map[string]Access{
		"a token": {BearerToken: "sesame"}, "a user": {User: "u", Password: "p"}, "a header": {Headers: http.Header{"X-Key": {"k"}}},
	} {
		o := options(t, s.URL)
		o.Access = access
		_, err := Capture(t.Context(), o)
		if err == nil || !strings.Contains(err.Error(), "must not get the credentials") || leaked.Load() {
			t.Errorf("%s: %v, leaked: %v", name, err, leaked.Load())
		}
	}
	// Without any there is nothing to lose.
	o := options(t, s.URL)
	o.Plan = Plan{Only: []string{ItemHeap}}
	if m := capture(t, o).Manifest; resultOf(t, m, ItemHeap).File == "" {
		t.Errorf("%q", results(m))
	}
}

func TestRedirectsOnOneHostKeepTheCredentialsAndEnd(t *testing.T) {
	inner := guarded("Bearer sesame", served("/moved"))
	s := server(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if page, ok := strings.CutPrefix(r.URL.Path, DefaultPrefix); ok {
			http.Redirect(w, r, "/moved"+page+"?"+r.URL.RawQuery, http.StatusMovedPermanently)
			return
		}
		inner.ServeHTTP(w, r)
	}))
	o := options(t, s.URL)
	o.Access.BearerToken = "sesame"
	if m := capture(t, o).Manifest; resultOf(t, m, ItemHeap).File == "" {
		t.Errorf("%q", results(m))
	}
	var asked atomic.Int32
	round := server(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		http.Redirect(w, r, r.URL.Path, http.StatusFound)
	}))
	o = options(t, round.URL)
	o.Plan = Plan{Only: []string{ItemHeap}}
	_, err := Capture(t.Context(), o)
	if err == nil || !strings.Contains(err.Error(), "more than 3 times") || asked.Load() != 4 {
		t.Errorf("%v after %d requests", err, asked.Load())
	}
}

func TestTheUpgradeToHTTPSIsTheSameHost(t *testing.T) {
	for _, c := range []struct {
		base, to string
		want     bool
	}{
		{"http://a.example.com", "https://a.example.com/x", true},
		{"http://a.example.com:80", "https://A.example.com:443", true},
		{"https://a.example.com", "http://a.example.com", false},
		{"http://a.example.com:6060", "https://a.example.com", false},
		{"http://a.example.com:6060", "http://a.example.com:6061", false},
		{"http://a.example.com", "http://b.example.com", false},
		{"http://a.example.com", "http://a.example.com.evil.example", false},
	} {
		base, err1 := url.Parse(c.base)
		to, err2 := url.Parse(c.to)
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		if got := sameHost(base, to); got != c.want {
			t.Errorf("%s to %s: %v", c.base, c.to, got)
		}
	}
}

func TestAProxyIsUsedWhereItIsNamed(t *testing.T) {
	var through atomic.Int32
	proxy := server(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Host == "manager.invalid:6060" {
			through.Add(1)
		}
		served(DefaultPrefix).ServeHTTP(w, r)
	}))
	o := options(t, "http://manager.invalid:6060")
	var err error
	if o.Access.Proxy, err = ParseProxy(proxy.URL); err != nil {
		t.Fatal(err)
	}
	if m := capture(t, o).Manifest; resultOf(t, m, ItemHeap).File == "" || through.Load() == 0 {
		t.Errorf("%d through the proxy: %q", through.Load(), results(m))
	}
}

func TestCredentialsInTheClearAreNoted(t *testing.T) {
	token := Access{BearerToken: "sesame"}
	for url, want := range map[string]bool{
		"http://manager.example.com": true, "https://manager.example.com": false, "http://127.0.0.1:6060": false, ":6060": false, "unix:///a.sock": false,
	} {
		if got := cleartext(target(t, url), token) != ""; got != want {
			t.Errorf("%s: %v", url, got)
		}
	}
	if cleartext(target(t, "http://manager.example.com"), Access{}) != "" {
		t.Error("there are no credentials")
	}
}

func TestHeadersAreChecked(t *testing.T) {
	if name, value, err := ParseHeader("x-key:  a: b "); name != "X-Key" || value != "a: b" || err != nil {
		t.Errorf("%q %q %v", name, value, err)
	}
	for _, bad := range []string{"no-colon-hunter22", ": hunter22", "a b: hunter22", "X: hunter22\r\nY: z", "é: hunter22"} {
		if _, _, err := ParseHeader(bad); err == nil || strings.Contains(err.Error(), "hunter22") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	for _, bad := range []string{"", "ftp://x", "http://user:hunter22@[::1", "://hunter22"} {
		if _, err := ParseProxy(bad); err == nil || strings.Contains(err.Error(), "hunter22") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
