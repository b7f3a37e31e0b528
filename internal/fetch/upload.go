package fetch

import (
	"bytes"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// An Upload is where a report goes by HTTP PUT: a presigned URL of an object store. Its query is a credential, which no
// text shows.
type Upload struct {
	url   *url.URL
	clock Clock
}

const (
	// A report of 100 MB needs 7 Mbit/s to be sent within uploadTry. uploadTimeout is for all tries. Chosen.
	uploadTimeout = 5 * time.Minute
	uploadTry     = 2 * time.Minute
	// minSigned is the length of the shortest part of a query that is looked for in errors: signatures and tokens are
	// longer, "host" and "86400" are words of errors.
	minSigned = 16
)

var errUploadTimeout = fmt.Errorf("the store did not accept the report within %s", uploadTimeout)

// ParseUpload parses a URL to which a report can be sent, over TLS unless it is of this machine.
func ParseUpload(s string) (*Upload, error) {
	const hint = "https://HOST/PATH?SIGNATURE, signed for PUT; http:// for this machine only"
	u, err := url.Parse(strings.TrimSpace(s))
	switch {
	case err != nil || u.Host == "" || strings.Trim(u.Path, "/") == "":
		return nil, usage(hint, "the report's URL names no object")
	case u.User != nil:
		return nil, usage(hint, "the report's URL contains a user")
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, usage(hint, "a report can go to a file or an HTTP server, not to %s://", u.Scheme)
	case u.Scheme == "http" && !Target{base: u}.loopback():
		return nil, usage(hint, "the report would go to %s unencrypted", u.Host)
	}
	u.Fragment = ""
	return &Upload{u, WallClock()}, nil
}

// String is the URL without what may be a credential.
func (u *Upload) String() string {
	return (&url.URL{Scheme: u.url.Scheme, Host: u.url.Host, Path: u.url.Path}).String()
}

// Put sends the report; the object is then this one, or what it was. Its error is an *Error, and unwraps to nothing: a
// closed connection is no closed pipe of a reader.
func (u *Upload) Put(ctx context.Context, version string, report []byte, note func(string)) error {
	ctx, cancel := context.WithTimeoutCause(ctx, uploadTimeout, errUploadTimeout)
	defer cancel()
	limits := Limits{}.withDefaults()
	src, err := newHTTPSource(Target{base: u.url}, Access{}, limits, version)
	if err != nil {
		return err
	}
	defer src.close()
	// The query would go to another host.
	src.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	failing := func(text string) { note(u.String() + ": " + u.scrub(text)) }
	_, err = again(ctx, u.clock, storeTries, failing, func() error { return src.put(ctx, report) })
	if err != nil {
		return &Error{Err: errors.New(u.String() + ": " + u.scrub(err.Error())), Hint: uploadHint(err)}
	}
	return nil
}

func (s *httpSource) put(ctx context.Context, body []byte) error {
	ctx, dog := watch(ctx, uploadTry, s.limits.Idle)
	defer dog.stop()
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, s.base.String(), bytes.NewReader(body))
	if err != nil {
		return withoutURL(err)
	}
	req.Header.Set("User-Agent", s.agent)
	req.Header.Set("Expect", "100-continue") // a refusal comes before the body, not as a closed connection
	resp, err := s.client.Do(req)
	if err != nil {
		return cause(ctx, withoutURL(err))
	}
	defer resp.Body.Close()
	dog.answered()
	code := errorCode(resp)
	switch {
	case resp.StatusCode/100 == 2 && code == "":
		return nil
	case resp.StatusCode/100 == 3:
		to, _ := resp.Location() // without one it is no redirect
		if to == nil {
			to = &url.URL{}
		}
		return fmt.Errorf("%w (%d) to %q: not followed", errRedirect, resp.StatusCode, to.Host)
	}
	return &statusError{resp.StatusCode, code}
}

// errorCode is the code in an error of S3's API. What else it says repeats the request, signature and all. Where a user
// is to log in, a web page answers, which is no error otherwise.
func errorCode(resp *http.Response) string {
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
		return "a web page"
	}
	page, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorPage)) // of a page that breaks off, the beginning will do
	if code := regexp.MustCompile(`<Code>([A-Za-z0-9.]{1,64})</Code>`).FindSubmatch(page); code != nil {
		return string(code[1])
	}
	return ""
}

func (u *Upload) scrub(text string) string {
	if u.url.RawQuery != "" {
		text = strings.ReplaceAll(text, u.url.RawQuery, "[secret]")
	}
	for _, values := range u.url.Query() {
		for _, v := range values {
			if len(v) >= minSigned {
				text = strings.ReplaceAll(text, v, "[secret]")
			}
		}
	}
	return text
}

func uploadHint(err error) string {
	_, unknown := errors.AsType[x509.UnknownAuthorityError](err)
	switch {
	case isStatus(err, http.StatusForbidden, http.StatusUnauthorized):
		return "the URL has expired, or was signed with headers or for a method other than PUT"
	case isStatus(err, http.StatusNotFound):
		return "does the bucket exist?"
	case isStatus(err, http.StatusOK):
		return "is it a presigned URL of an object store?"
	case errors.Is(err, errRedirect):
		return "sign a URL for the region of the bucket"
	case unknown:
		return "set SSL_CERT_FILE to a PEM file of the trusted authorities; the container image has none"
	case unreachable(err):
		return "nothing answers there: check the host, and HTTPS_PROXY"
	}
	return ""
}
