package fetch

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
)

// Access is how to reach a target and its credentials. Its values are secrets; printing it shows none of them.
type Access struct {
	CACert, Cert, Key  string // PEM files
	InsecureSkipVerify bool
	ServerName         string // in the target's certificate, if it is not the host's
	BearerToken        string
	User, Password     string // basic auth
	Headers            http.Header
	Proxy              *url.URL // nil: HTTP_PROXY, HTTPS_PROXY and NO_PROXY of the environment
}

// String keeps secrets out of whatever prints an Access.
func (Access) String() string { return "access" }

// GoString keeps secrets out of %#v.
func (Access) GoString() string { return "fetch.Access{}" }

// credentials reports whether there is anything that another host must not get.
func (a Access) credentials() bool {
	return a.BearerToken != "" || a.User != "" || a.Password != "" || len(a.Headers) > 0 || a.Cert != ""
}

// readable reports whether anybody on the way can read a secret if the connection is not encrypted.
func (a Access) readable() bool {
	return a.BearerToken != "" || a.Password != "" ||
		a.Headers.Get("Authorization") != "" || a.Headers.Get("Cookie") != ""
}

func (a Access) check() error {
	switch {
	case a.BearerToken != "" && (a.User != "" || a.Password != ""):
		return usage("give one of them", "a bearer token and a user's password both go into the Authorization header")
	case (a.Cert == "") != (a.Key == ""):
		return usage("--cert FILE --key FILE", "a client certificate needs both --cert and --key")
	case strings.ContainsAny(a.BearerToken, "\r\n\x00"):
		return usage("the file must contain the token and nothing else", "the bearer token contains a line break")
	case strings.Contains(a.User, ":"):
		return usage("--user NAME; the password is read from TRIAGE_PASSWORD or --password-file",
			"a user's name can't contain a colon")
	}
	return nil
}

func (a Access) apply(r *http.Request) {
	for name, values := range a.Headers {
		if name == "Host" {
			r.Host = values[0]
			continue
		}
		r.Header[name] = slices.Clone(values)
	}
	switch {
	case a.BearerToken != "":
		r.Header.Set("Authorization", "Bearer "+a.BearerToken)
	case a.User != "" || a.Password != "":
		r.SetBasicAuth(a.User, a.Password)
	}
}

// minSecret is the length of the shortest value that scrub replaces: shorter ones are too likely to be other words.
const minSecret = 4

// scrub replaces the secrets in a text that a server or a tool wrote.
func (a Access) scrub(s string) string {
	secrets := []string{a.BearerToken, a.Password}
	if a.Password != "" {
		secrets = append(secrets, base64.StdEncoding.EncodeToString([]byte(a.User+":"+a.Password)))
	}
	for _, values := range a.Headers {
		secrets = append(secrets, values...)
		for _, v := range values { // "Bearer abc", "session=abc"
			if i := strings.LastIndexAny(v, " ="); i >= 0 {
				secrets = append(secrets, v[i+1:])
			}
		}
	}
	if a.Proxy != nil && a.Proxy.User != nil {
		if pass, ok := a.Proxy.User.Password(); ok {
			secrets = append(secrets, pass)
		}
	}
	slices.SortFunc(secrets, func(x, y string) int { return len(y) - len(x) }) // whole ones before their parts
	for _, secret := range secrets {
		if len(secret) >= minSecret {
			s = strings.ReplaceAll(s, secret, "[secret]")
		}
	}
	return s
}

func (a Access) tls() (*tls.Config, error) {
	c := &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: a.InsecureSkipVerify, ServerName: a.ServerName}
	if a.CACert != "" {
		ca, err := os.ReadFile(a.CACert)
		if err != nil {
			return nil, usage("", "reading --cacert: %w", err)
		}
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(ca) {
			return nil, usage("a PEM file begins with -----BEGIN CERTIFICATE-----", "--cacert %s contains no "+
				"certificate",
				a.CACert)
		}
	}
	if a.Cert != "" {
		pair, err := tls.LoadX509KeyPair(a.Cert, a.Key)
		if err != nil {
			return nil, usage("both are PEM files, and the key is not encrypted", "reading --cert and --key: %w", err)
		}
		c.Certificates = []tls.Certificate{pair}
	}
	return c, nil
}

// ParseProxy parses an http, https or socks5 URL. Its error doesn't repeat the text, which may hold a password.
func ParseProxy(s string) (*url.URL, error) {
	if !strings.Contains(s, "://") {
		s = "http://" + s
	}
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || !slices.Contains([]string{"http", "https", "socks5", "socks5h"}, u.Scheme) {
		return nil, usage("--proxy http://HOST:PORT", "--proxy is not an http, https or socks5 URL")
	}
	return u, nil
}

// ParseHeader parses "Name: value". Its error doesn't repeat the value.
func ParseHeader(s string) (name, value string, err error) {
	name, value, found := strings.Cut(s, ":")
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !found || name == "" || strings.ContainsFunc(name, notToken) || strings.ContainsFunc(value, isControl) {
		return "", "", usage("-H 'Name: value'", "a header given with -H is not \"Name: value\"")
	}
	return http.CanonicalHeaderKey(name), value, nil
}

// notToken reports whether r is no part of a header's name (RFC 9110, 5.6.2).
func notToken(r rune) bool {
	return !isAlphanumeric(r) && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}
