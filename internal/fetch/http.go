package fetch

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// A request is one question to a process.
type request struct {
	item item
	// uri is below the prefix, with its query.
	uri string
}

func requestOf(it item) request {
	uri := it.page
	if it.query != "" {
		uri += "?" + it.query
	}
	return request{item: it, uri: uri}
}

// A source answers requests. Errors are for people: they name no URL, because that may hold a user's name.
type source interface {
	get(ctx context.Context, r request, to *sink) error
	close()
}

const (
	maxRedirects = 3
	maxErrorText = 512 // bytes kept of an error page
)

// An httpSource asks over HTTP.
type httpSource struct {
	base   *url.URL
	client *http.Client
	limits Limits
	agent  string
	access Access
}

func newHTTPSource(t Target, a Access, l Limits, version string) (*httpSource, error) {
	conf, err := a.tls()
	if err != nil {
		return nil, err
	}
	dialer := &net.Dialer{Timeout: l.Connect}
	tr := &http.Transport{
		Proxy: a.proxy(), DialContext: dialer.DialContext, TLSClientConfig: conf, TLSHandshakeTimeout: l.Connect, ForceAttemptHTTP2: true,
		// An answer is kept as it comes: what a server compresses stays compressed.
		DisableCompression: true, MaxResponseHeaderBytes: 64 << 10, MaxIdleConnsPerHost: 2, IdleConnTimeout: l.Idle,
	}
	if t.direct {
		tr.Proxy = nil
	}
	if t.socket != "" {
		tr.Proxy = nil
		tr.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return dialer.DialContext(ctx, "unix", t.socket)
		}
	}
	s := &httpSource{base: t.base, limits: l, agent: "triage/" + version, access: a}
	s.client = &http.Client{Transport: &signer{base: t.base, access: a, next: tr}, CheckRedirect: s.redirect}
	return s, nil
}

func (s *httpSource) close() { s.client.CloseIdleConnections() }

// A signer adds the credentials to requests to the target itself, and to no other.
type signer struct {
	base   *url.URL
	access Access
	next   http.RoundTripper
}

func (g *signer) RoundTrip(r *http.Request) (*http.Response, error) {
	if sameHost(g.base, r.URL) {
		r = r.Clone(r.Context())
		g.access.apply(r)
	}
	return g.next.RoundTrip(r)
}

func (g *signer) CloseIdleConnections() {
	if c, ok := g.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// sameHost reports that u is the target: the same scheme, host and port, or its upgrade from http to https on the usual ports.
func sameHost(base, u *url.URL) bool {
	if !strings.EqualFold(base.Hostname(), u.Hostname()) {
		return false
	}
	if base.Scheme == u.Scheme {
		return portOf(base) == portOf(u)
	}
	return base.Scheme == "http" && portOf(base) == "80" && u.Scheme == "https" && portOf(u) == "443"
}

func portOf(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	if u.Scheme == "https" {
		return "443"
	}
	return "80"
}

var errRedirect = errors.New("redirected")

func (s *httpSource) redirect(r *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return fmt.Errorf("%w more than %d times", errRedirect, maxRedirects)
	}
	if !sameHost(s.base, r.URL) && s.access.credentials() {
		return fmt.Errorf("%w to %s://%s, which must not get the credentials: not followed", errRedirect, r.URL.Scheme, r.URL.Host)
	}
	return nil
}

// A statusError is an answer other than 200.
type statusError struct {
	code int
	text string // what the server says about it, "" where that is a page for browsers
}

func (e *statusError) Error() string {
	s := fmt.Sprintf("answered %d %s", e.code, http.StatusText(e.code))
	if e.text != "" {
		s += ": " + e.text
	}
	return s
}

var errWebPage = errors.New("answered a web page, no profile")

func (s *httpSource) get(ctx context.Context, r request, to *sink) error {
	ctx, dog := watch(ctx, s.limits.Header+r.item.lasts, s.limits.Idle)
	defer dog.stop()
	u := *s.base
	page, query, _ := strings.Cut(r.uri, "?")
	u.Path, u.RawQuery = strings.TrimSuffix(s.base.Path, "/")+"/"+page, query
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return bare(err)
	}
	req.Header.Set("User-Agent", s.agent)
	resp, err := s.client.Do(req)
	if err != nil {
		return cause(ctx, bare(err))
	}
	defer resp.Body.Close()
	dog.answered()
	body := feed{Reader: resp.Body, dog: dog}
	if resp.StatusCode != http.StatusOK {
		return &statusError{resp.StatusCode, errorText(resp, body)}
	}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
		return errWebPage
	}
	if _, err = io.Copy(to, body); err != nil && to.disk == nil && !errors.Is(err, errTooLarge) {
		err = fmt.Errorf("the connection ended after %d bytes: %w", to.n, cause(ctx, err))
	}
	return err
}

// errorText is what an error page says, as one line of text.
func errorText(resp *http.Response, body io.Reader) string {
	if kind := resp.Header.Get("Content-Type"); kind != "" && !strings.HasPrefix(kind, "text/plain") {
		return ""
	}
	b, _ := io.ReadAll(io.LimitReader(body, maxErrorText)) // what came is shown
	return oneLine(string(b))
}

// oneLine makes a text one line without control characters.
func oneLine(s string) string {
	s = strings.ToValidUTF8(s, "?")
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return isControl(r) || r == ' ' || r >= 0x80 && r < 0xa0 }), " ")
}

var errClosed = errors.New("the connection was closed without an answer")

// bare takes the URL off an error of net/http.
func bare(err error) error {
	if ue, ok := errors.AsType[*url.Error](err); ok {
		err = ue.Err
	}
	if err == io.EOF {
		return errClosed
	}
	return err
}

// unreachable reports an error of connecting: nothing was asked.
func unreachable(err error) bool {
	if op, ok := errors.AsType[*net.OpError](err); ok && (op.Op == "dial" || op.Op == "proxyconnect") {
		return true
	}
	var dns *net.DNSError
	return errors.As(err, &dns) || tlsHint(err) != ""
}

// hintFor says what to do about an error of the first request.
func hintFor(err error) string {
	var st *statusError
	switch {
	case errors.As(err, &st) && (st.code == http.StatusUnauthorized || st.code == http.StatusForbidden):
		return "it wants credentials: --bearer-token-file, --user, --cert and --key, or -H"
	case errors.As(err, &st) && st.code == http.StatusNotFound:
		return "the path of the target is where the profiles lie, " + DefaultPrefix + " by default; does the process serve net/http/pprof there?"
	case errors.As(err, &st) && st.code == http.StatusBadRequest && strings.Contains(st.text, "HTTPS server"),
		strings.Contains(err.Error(), `malformed HTTP response "\x15\x03`):
		return "the port speaks TLS: https://HOST:PORT"
	case strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return "the port speaks plain HTTP: http://HOST:PORT"
	case errors.Is(err, errWebPage), errors.Is(err, errRedirect):
		return "it may want you to log in: --bearer-token-file, --user or -H"
	case tlsHint(err) != "":
		return tlsHint(err)
	case strings.Contains(err.Error(), "connection refused"):
		return "nothing listens there; for a pod: triage fetch pod/NAME -n NAMESPACE --port PORT"
	}
	return ""
}

// tlsHint says what to do about a certificate, "" where err is about something else.
func tlsHint(err error) string {
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	switch {
	case errors.As(err, &authority):
		return "--cacert FILE names the authority that signed its certificate; --insecure-skip-verify trusts anybody"
	case errors.As(err, &host):
		return "--tls-server-name NAME is the name in its certificate"
	case strings.Contains(err.Error(), "tls: certificate required"), strings.Contains(err.Error(), "tls: bad certificate"):
		return "it wants a client certificate: --cert FILE --key FILE"
	}
	return ""
}
