package fetch

import (
	"bytes"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"
)

// A source asks one process for items. Its errors contain no URL, because that may contain a user's name.
type source interface {
	// get writes the answer to to. It gives up when header passes, besides what the item lasts, before an answer
	// begins.
	get(ctx context.Context, it item, header time.Duration, to *sink) error
	close()
}

var (
	errClosed   = errors.New("the connection was closed without an answer")
	errRedirect = errors.New("redirected")
	errWebPage  = errors.New("returned a web page, not a profile")
)

// A statusError is an answer other than 200.
type statusError struct {
	code int
	text string // the server's explanation, "" if that is a page for browsers
}

func (e *statusError) Error() string {
	s := fmt.Sprintf("answered %d %s", e.code, http.StatusText(e.code))
	if e.text != "" {
		s += ": " + e.text
	}
	return s
}

// isStatus reports whether err is an answer with one of the codes, or with any code if none is given.
func isStatus(err error, codes ...int) bool {
	st, ok := errors.AsType[*statusError](err)
	return ok && (len(codes) == 0 || slices.Contains(codes, st.code))
}

func unexpectedResponse(it item, to *sink) error {
	head := bytes.ToLower(bytes.TrimLeft(to.head, " \t\r\n"))
	switch {
	case !fromPort(it.kind):
		return nil
	case to.n == 0:
		return errors.New("returned nothing")
	case bytes.HasPrefix(head, []byte("<!doctype")), bytes.HasPrefix(head, []byte("<html")):
		return errWebPage
	}
	return nil
}

// fromProcess reports whether the process itself gave the error, so that the way to it works.
func fromProcess(err error) bool {
	return isStatus(err) || errors.Is(err, errWebPage) || errors.Is(err, errTooLarge) || errors.Is(err, errRedirect)
}

// unreachable reports whether err is one of connecting: nothing was asked.
func unreachable(err error) bool {
	if op, ok := errors.AsType[*net.OpError](err); ok && (op.Op == "dial" || op.Op == "proxyconnect") {
		return true
	}
	_, ok := errors.AsType[*net.DNSError](err)
	return ok || tlsHint(err) != ""
}

func profilerInUse(err error) bool {
	return err != nil && strings.Contains(err.Error(), "cpu profiling already in use")
}

// hintFor returns what to do about an error of the first request.
func hintFor(err error) string {
	text := err.Error()
	switch {
	case isStatus(err, http.StatusUnauthorized, http.StatusForbidden):
		return "the store needs credentials: --bearer-token-file, --user, --cert and --key, or -H"
	case isStatus(err, http.StatusNotFound):
		return "the target's path must lead to the profiles, " + DefaultPrefix +
			" by default; does the process serve net/http/pprof there?"
	case isStatus(err, http.StatusBadRequest) && strings.Contains(text, "HTTPS server"),
		strings.Contains(text, `malformed HTTP response "\x15\x03`):
		return "the port speaks TLS: https://HOST:PORT"
	case strings.Contains(text, "server gave HTTP response to HTTPS client"):
		return "the port speaks plain HTTP: http://HOST:PORT"
	case errors.Is(err, errWebPage), errors.Is(err, errRedirect):
		return "it may need a login: --bearer-token-file, --user or -H"
	case tlsHint(err) != "":
		return tlsHint(err)
	case errors.Is(err, errSilent):
		return "the port is open but silent: the process is stuck or stopped, or the port belongs to something else; " +
			"kill -ABRT PID makes a Go process print its goroutines and ends it"
	case strings.Contains(text, "connection refused"):
		return "nothing listens there; for a pod: triage fetch pod/NAME -n NAMESPACE --port PORT"
	}
	return ""
}

// tlsHint returns what to do about a certificate, "" if err is about something else.
func tlsHint(err error) string {
	if _, ok := errors.AsType[x509.UnknownAuthorityError](err); ok {
		return "--cacert FILE names the authority that signed its certificate; --insecure-skip-verify trusts any " +
			"certificate"
	}
	if _, ok := errors.AsType[x509.HostnameError](err); ok {
		return "--tls-server-name NAME sets the name to expect in its certificate"
	}
	text := err.Error()
	if strings.Contains(text, "tls: certificate required") || strings.Contains(text, "tls: bad certificate") {
		return "it needs a client certificate: --cert FILE --key FILE"
	}
	return ""
}
