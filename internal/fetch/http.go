package fetch

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	maxRedirects = 3
	maxErrorText = 512 // bytes kept of an error page
	// maxErrorPage is how much of it is read: S3's errors have some hundred bytes. Chosen.
	maxErrorPage = 8 << 10
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
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         dialer.DialContext,
		TLSClientConfig:     conf,
		TLSHandshakeTimeout: l.Connect,
		ForceAttemptHTTP2:   true,
		// Only an upload asks whether it may send its body.
		ExpectContinueTimeout: time.Second,
		// An answer is kept as it comes: what a server compresses stays compressed.
		DisableCompression:     true,
		MaxResponseHeaderBytes: 64 << 10,
		MaxIdleConnsPerHost:    2,
		IdleConnTimeout:        l.Idle,
	}
	if a.Proxy != nil {
		tr.Proxy = http.ProxyURL(a.Proxy)
	}
	if t.direct || t.socket != "" {
		tr.Proxy = nil
	}
	if t.socket != "" {
		tr.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return dialer.DialContext(ctx, "unix", t.socket)
		}
	}
	s := &httpSource{base: t.base, limits: l, agent: "triage/" + version, access: a}
	s.client = &http.Client{Transport: tr, CheckRedirect: s.redirect}
	return s, nil
}

func (s *httpSource) close() { s.client.CloseIdleConnections() }

// sameHost reports whether u has the target's scheme, host and port, or upgrades http to https on the usual ports.
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
	return cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
}

// redirect follows where no credentials are, and on the target itself: the client repeats the headers of its request.
func (s *httpSource) redirect(r *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return fmt.Errorf("%w more than %d times", errRedirect, maxRedirects)
	}
	if !sameHost(s.base, r.URL) && s.access.credentials() {
		return fmt.Errorf("%w to %s://%s, which must not get the credentials: not followed",
			errRedirect, r.URL.Scheme, r.URL.Host)
	}
	return nil
}

func (s *httpSource) get(ctx context.Context, it item, header time.Duration, to *sink) error {
	ctx, dog := watch(ctx, header+it.lasts, s.limits.Idle)
	defer dog.stop()
	u := *s.base
	u.Path, u.RawQuery = strings.TrimSuffix(s.base.Path, "/")+"/"+it.page, it.query
	method := http.MethodGet
	if it.body != nil {
		method = http.MethodPost
	}
	req, err := http.NewRequestWithContext(ctx, method, u.String(), bytes.NewReader(it.body))
	if err != nil {
		return withoutURL(err)
	}
	if it.body != nil {
		req.Header.Set("Content-Type", it.form)
		req.Header.Set("Connect-Protocol-Version", "1") // servers may want it of requests with a body
	}
	req.Header.Set("User-Agent", s.agent)
	s.access.apply(req)
	resp, err := s.client.Do(req)
	if err != nil {
		return cause(ctx, withoutURL(err))
	}
	defer resp.Body.Close()
	dog.answered()
	if resp.StatusCode != http.StatusOK {
		return &statusError{resp.StatusCode, errorText(resp)}
	}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
		return errWebPage
	}
	if _, err = io.Copy(&watchedWriter{to: to, dog: dog, begun: true}, resp.Body); err != nil && to.diskErr == nil &&
		!errors.Is(err, errTooLarge) {
		err = fmt.Errorf("the connection ended after %d bytes: %w", to.n, cause(ctx, err))
	}
	return err
}

// errorText is a server's explanation: plain text, or the message or error in JSON.
func errorText(resp *http.Response) string {
	kind := resp.Header.Get("Content-Type")
	text, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorPage)) // of a page that breaks off, the beginning will do
	switch {
	case strings.HasPrefix(kind, "application/json"):
		var answer struct{ Message, Error string }
		_ = json.Unmarshal(text, &answer) // what is another JSON has neither
		text = []byte(cmp.Or(answer.Message, answer.Error))
	case kind != "" && !strings.HasPrefix(kind, "text/plain"):
		return ""
	}
	return oneLine(string(text[:min(len(text), maxErrorText)]))
}

func withoutURL(err error) error {
	if ue, ok := errors.AsType[*url.Error](err); ok {
		err = ue.Err
	}
	if err == io.EOF {
		return errClosed
	}
	return err
}
