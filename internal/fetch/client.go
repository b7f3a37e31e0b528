package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// A Client asks an HTTP API as stores are asked: with the bounds, the retries, the redirects and the credentials.
type Client struct {
	src    *httpSource
	clock  Clock
	tries  int
	events func(Event)
}

// apiTries and storeTries are how often a request is sent at most. A failed query of a store costs a whole capture, so
// it is tried longer. Chosen.
const apiTries, storeTries = 3, 6

// NewClient returns a client of the API at an http or https URL. events, if not nil, gets a note of each retry.
func NewClient(at string, a Access, version string, events func(Event)) (*Client, error) {
	u, err := url.Parse(at)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return nil, usage("http://HOST:PORT, or https://HOST/PATH", "the server's address is not an http or https URL")
	}
	if u, err = apiBase(u); err != nil {
		return nil, err
	}
	return newClient(u, a, Limits{}.withDefaults(), version, apiTries, events)
}

// apiBase is the address of an API without what is not for a command line.
func apiBase(u *url.URL) (*url.URL, error) {
	switch {
	case u.User != nil:
		return nil, usage("--user NAME, and the password in TRIAGE_PASSWORD or --password-file",
			"the server's URL contains a user: every process on this machine can read the command line")
	case u.RawQuery != "" || u.Fragment != "":
		return nil, usage("--query 'QUERY'; headers go with -H", "the server's URL has a query")
	}
	return &url.URL{Scheme: u.Scheme, Host: u.Host, Path: strings.TrimSuffix(u.Path, "/")}, nil
}

func newClient(base *url.URL, a Access, l Limits, version string, tries int, events func(Event)) (*Client, error) {
	if err := a.check(); err != nil {
		return nil, err
	}
	src, err := newHTTPSource(Target{base: base}, a, l, version)
	c := &Client{src, WallClock(), tries, events}
	if text := cleartext(Target{base: base}, a); err == nil && text != "" {
		c.emit(Event{Kind: EventNote, Text: text})
	}
	return c, err
}

// errDeadline is why Within ends a context.
var errDeadline = errors.New("the time limit for all answers has passed (--timeout)")

// Within returns a context for all requests together.
func (c *Client) Within(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, d, errDeadline)
}

// Close ends the connections.
func (c *Client) Close() { c.src.close() }

// Host is where the API answers.
func (c *Client) Host() string { return c.src.base.Host }

// Get returns the answer of a page of at most so many bytes. Its error is an *Error, with the secrets taken out.
func (c *Client) Get(ctx context.Context, page string, query url.Values, most int64) ([]byte, error) {
	answer, err := c.ask(ctx, item{page: page, query: query.Encode()}, most)
	if err == nil {
		return answer, nil
	}
	err = cause(ctx, err)
	text := c.src.access.scrub(err.Error())
	switch {
	case errors.Is(err, errTooLarge):
		text = fmt.Sprintf("the answer is larger than %d MiB", most>>20)
	case errors.Is(err, errWebPage):
		text = "the answer is a web page, not JSON"
	}
	return nil, &Error{Err: fmt.Errorf("%s: %s", c.Host(), text), Hint: apiHint(err,
		"ask for less: -n NAMESPACE, --query, or a shorter --window; or set a longer --timeout, or try again later",
		`--query has matchers such as 'env="prod"'; or ask for less: -n NAMESPACE, --query, a shorter --window`)}
}

// apiHint returns what to do about an error of an API. less is how to ask for less, query what it calls a query.
func apiHint(err error, less, query string) string {
	const credentials = "--bearer-token-file, --user, or -H 'X-Scope-OrgID: TENANT'"
	switch {
	case isStatus(err, 401, 403):
		return "the server needs credentials: " + credentials
	case isStatus(err, 404), errors.Is(err, errWebPage), errors.Is(err, errRedirect), errors.Is(err, errAnswer):
		return "check the address and the path before its API; the server may also need credentials: " + credentials
	case isStatus(err, 400, 422):
		return query
	case isStatus(err, 429, 500, 502, 503, 504), errors.Is(err, errDeadline), errors.Is(err, errTimeout),
		errors.Is(err, errSilent), errors.Is(err, errStalled), errors.Is(err, errTooLarge),
		errors.Is(err, errLargeProfile):
		return less
	case tlsHint(err) != "":
		return tlsHint(err)
	case unreachable(err):
		return "nothing answers there: check the host and the port; in a cluster: kubectl port-forward svc/NAME PORT"
	}
	return ""
}

// again calls get until it succeeds: stores are busy, and connections end. It returns how often it did.
func (c *Client) again(ctx context.Context, get func() error) (tries int, err error) {
	note := func(text string) { c.emit(Event{Kind: EventNote, Text: c.src.access.scrub(text)}) }
	return again(ctx, c.clock, c.tries, note, get)
}

// again is Client.again without a client: an upload has notes of its own.
func again(ctx context.Context, clock Clock, most int, note func(string), get func() error) (tries int, err error) {
	for pause := time.Second; ; pause = min(2*pause, maxBackoff) {
		tries++
		err = get()
		_, asked := errors.AsType[tried](err)
		retry := isStatus(err, 429, 500, 502, 503, 504) ||
			err != nil && !fromProcess(err) && !errors.Is(err, errAnswer) && tlsHint(err) == ""
		if !retry || asked || tries == most || ctx.Err() != nil || unreachable(err) && tries > 1 {
			return tries, err
		}
		note(fmt.Sprintf("%s: trying again in %s", err, pause))
		if err := clock.Wait(ctx, pause); err != nil {
			return tries, cause(ctx, err)
		}
	}
}

// tried is the error of an answer that was asked for again and again.
type tried struct{ error }

func (t tried) Unwrap() error { return t.error }

// ask returns an answer of a page, for which it asks again where it must.
func (c *Client) ask(ctx context.Context, it item, most int64) ([]byte, error) {
	to := &sink{mem: new(bytes.Buffer), max: most}
	_, err := c.again(ctx, func() error {
		if err := to.reset(); err != nil {
			return err
		}
		return c.src.get(ctx, it, c.src.limits.Header, to)
	})
	if err != nil {
		return nil, tried{err}
	}
	return to.mem.Bytes(), nil
}

func (c *Client) emit(e Event) {
	if c.events != nil {
		c.events(e)
	}
}
