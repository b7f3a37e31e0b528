package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// signature is the credential in a presigned URL.
const signature = "3f9a0c7be41d52869013aa77cc5501de3f9a0c7be41d52869013aa77cc5501de"

// A bucket takes objects as S3 does: whole, by PUT, with their length and the signature. Trouble may answer instead.
type bucket struct {
	trouble func(w http.ResponseWriter, r *http.Request, n int) bool
	mu      sync.Mutex
	asked   int
	objects map[string][]byte
}

func (b *bucket) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.asked++; b.trouble != nil && b.trouble(w, r, b.asked) {
		return
	}
	body, err := io.ReadAll(r.Body)
	switch q := r.URL.Query(); {
	case r.Method != http.MethodPut || r.ContentLength < 0 || len(r.TransferEncoding) > 0:
		refuse(w, http.StatusLengthRequired, "MissingContentLength")
	case q.Get("X-Amz-Signature") != signature || r.Header.Get("Authorization") != "":
		refuse(w, http.StatusForbidden, "SignatureDoesNotMatch")
	case err != nil || int64(len(body)) != r.ContentLength:
		refuse(w, http.StatusBadRequest, "IncompleteBody")
	default:
		if b.objects == nil {
			b.objects = map[string][]byte{}
		}
		b.objects[r.URL.Path] = body
	}
}

// seen is how often the bucket was asked, and what it has. A handler may outlive the request that it broke off.
func (b *bucket) seen() (asked int, objects map[string][]byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.asked, maps.Clone(b.objects)
}

// refuse answers an error as S3 does, with what it got of the request.
func refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, `<?xml version="1.0" encoding="UTF-8"?>`+"\n<Error><Code>%s</Code><Message>%s no\x1b[2J"+
		"</Message><SignatureProvided>%s</SignatureProvided></Error>", code, signature, signature)
}

func uploadTo(t *testing.T, base string) *Upload {
	t.Helper()
	u, err := ParseUpload(base + "/reports/0.json?X-Amz-Expires=3600&X-Amz-Credential=AKIAEXAMPLEEXAMPLE%2F2026" +
		"&X-Amz-SignedHeaders=host&X-Amz-Signature=" + signature)
	if err != nil {
		t.Fatal(err)
	}
	u.clock = instant()
	return u
}

func TestAReportIsWholeInTheBucketEvenIfTheStoreFailsAtFirst(t *testing.T) {
	report := bytes.Repeat([]byte("a report "), 500_000)
	busy := func(w http.ResponseWriter, r *http.Request, n int) bool {
		switch n {
		case 1:
			refuse(w, http.StatusServiceUnavailable, "SlowDown")
		case 2:
			w.WriteHeader(http.StatusTooManyRequests)
		case 3: // the connection ends in the middle
			_, _ = io.CopyN(io.Discard, r.Body, 1000)
			conn, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				_ = conn.Close()
			}
		}
		return n < 4
	}
	for name, trouble := range map[string]func(http.ResponseWriter, *http.Request, int) bool{"well": nil, "busy": busy} {
		b := &bucket{trouble: trouble}
		var notes []string
		err := uploadTo(t, server(t, b).URL).Put(t.Context(), "v1", report, func(s string) { notes = append(notes, s) })
		asked, objects := b.seen()
		if err != nil || !bytes.Equal(objects["/reports/0.json"], report) {
			t.Errorf("%s: %v, %d bytes", name, err, len(objects["/reports/0.json"]))
		}
		if said := strings.Join(notes, "\n"); strings.Contains(said, signature) || strings.Contains(said, "AKIA") ||
			len(notes) != max(0, asked-1) {
			t.Errorf("%s: %q", name, said)
		}
	}
}

func TestAnUploadThatFailsSaysWhyWithoutTheSignatureAndLeavesNothing(t *testing.T) {
	always := func(answer http.HandlerFunc) func(http.ResponseWriter, *http.Request, int) bool {
		return func(w http.ResponseWriter, r *http.Request, _ int) bool {
			answer(w, r)
			return true
		}
	}
	other := &bucket{}
	elsewhere := server(t, other).URL
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		want   string
		tries  int
		hint   bool
	}{
		"expired": {func(w http.ResponseWriter, _ *http.Request) { refuse(w, http.StatusForbidden, "AccessDenied") },
			"answered 403 Forbidden: AccessDenied", 1, true},
		"no bucket": {func(w http.ResponseWriter, _ *http.Request) { refuse(w, http.StatusNotFound, "NoSuchBucket") },
			"404 Not Found: NoSuchBucket", 1, true},
		"a signature as code": {func(w http.ResponseWriter, _ *http.Request) {
			refuse(w, http.StatusForbidden, signature)
		}, "403 Forbidden: [secret]", 1, true},
		"elsewhere": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere+"/reports/0.json?"+r.URL.RawQuery, http.StatusTemporaryRedirect)
		}, "redirected (307) to", 1, true},
		"nowhere": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusFound) },
			"redirected (302)", 1, true},
		"an error that is called OK": {func(w http.ResponseWriter, _ *http.Request) {
			refuse(w, http.StatusOK, "SlowDown")
		}, "200 OK: SlowDown", 1, true},
		"a page to log in": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = io.WriteString(w, "<html>log in</html>")
		}, "200 OK: a web page", 1, true},
		"down": {func(w http.ResponseWriter, _ *http.Request) {
			refuse(w, http.StatusInternalServerError, "InternalError")
		},
			"500 Internal Server Error: InternalError", storeTries, false},
		"an endless answer": {func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusForbidden)
			for line := []byte(strings.Repeat("x", 1<<16)); r.Context().Err() == nil; {
				if _, err := w.Write(line); err != nil {
					break
				}
			}
		}, "403", 1, true},
		"hangs up": {func(w http.ResponseWriter, _ *http.Request) {
			if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
				_ = conn.(*net.TCPConn).SetLinger(0)
				_ = conn.Close()
			}
		}, "/reports/0.json: ", storeTries, false},
	} {
		b := &bucket{trouble: always(c.answer)}
		var notes []string
		err := uploadTo(t, server(t, b).URL).Put(t.Context(), "v1", []byte("a report"), func(s string) {
			notes = append(notes, s)
		})
		e, ok := errors.AsType[*Error](err)
		asked, objects := b.seen()
		elsewhere, _ := other.seen()
		if !ok || !strings.Contains(e.Error(), c.want) || (e.Hint != "") != c.hint || asked < c.tries {
			t.Errorf("%s: %+v after %d tries", name, err, asked)
			continue
		}
		said := fmt.Sprint(err, e.Hint, notes)
		for _, secret := range []string{signature, "AKIAEXAMPLE", "X-Amz", "\x1b"} {
			if strings.Contains(said, secret) {
				t.Errorf("%s: %q is in %q", name, secret, said)
			}
		}
		// What looks like a reader that has gone would be no failure.
		if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) || len(objects)+elsewhere > 0 {
			t.Errorf("%s: %v, %d objects, %d requests elsewhere", name, err, len(objects), elsewhere)
		}
	}
}

func TestAnUploadEndsInTime(t *testing.T) {
	b := &bucket{trouble: func(_ http.ResponseWriter, r *http.Request, _ int) bool {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
		return true
	}}
	ctx, cancel := context.WithTimeoutCause(t.Context(), 50*time.Millisecond, errUploadTimeout)
	defer cancel()
	err := uploadTo(t, server(t, b).URL).Put(ctx, "v1", []byte("a report"), func(string) {})
	if err == nil || !strings.Contains(err.Error(), "did not accept the report within 5m0s") {
		t.Error(err)
	}
}

func TestAReportGoesToNobodyWhoseCertificateIsNotTrusted(t *testing.T) {
	b := &bucket{}
	s := httptest.NewUnstartedServer(b)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.StartTLS()
	t.Cleanup(s.Close)
	err := uploadTo(t, s.URL).Put(t.Context(), "v1", []byte("a report"), func(text string) {
		t.Errorf("it is no use to try again: %s", text)
	})
	asked, _ := b.seen()
	if e, ok := errors.AsType[*Error](err); !ok || !strings.Contains(e.Error(), "certificate") ||
		!strings.Contains(e.Hint, "SSL_CERT_FILE") || asked > 0 {
		t.Errorf("%+v after %d requests", err, asked)
	}
}

func TestAnUploadIsParsedOrRefused(t *testing.T) {
	for text, want := range map[string]string{
		"https://bucket.example.com/a%20b/0.json?X-Amz-Signature=hunter2hunter2": "https://bucket.example.com/a%20b/0.json",
		" https://bucket.example.com/0.json?sig=hunter2hunter2#x\n":              "https://bucket.example.com/0.json",
		"http://127.0.0.1:9000/b/0.json?sig=hunter2":                             "http://127.0.0.1:9000/b/0.json",
		"http://localhost/0.json":                                                "http://localhost/0.json",
	} {
		if u, err := ParseUpload(text); err != nil || u.String() != want || strings.Contains(fmt.Sprint(u), "hunter2") {
			t.Errorf("%s: %v, %v", text, u, err)
		}
	}
	for _, text := range []string{"", "https://", "https://bucket.example.com?sig=hunter2", "https://me:hunter2@b/0.json",
		"http://bucket.example.com/0.json?sig=hunter2", "http://127.0.0.1.example.com/0.json?sig=hunter2",
		"ftp://localhost/0.json?sig=hunter2", "https://b/%zz?sig=hunter2", "https://b/\x00?sig=hunter2"} {
		_, err := ParseUpload(text)
		if e, ok := errors.AsType[*Error](err); !ok || !e.Usage || e.Hint == "" || strings.Contains(e.Error()+e.Hint,
			"hunter2") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzParseUpload(f *testing.F) {
	for _, text := range []string{"https://b/0.json?sig=hunter2", "http://[::1]:9000/b/0.json", "http://localhost.x/0",
		"https://me@b/0", "//b/0", "https://b/%3Fsig=hunter2"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		u, err := ParseUpload(text)
		if err != nil {
			return
		}
		shown, err := url.Parse(u.String())
		if err != nil || shown.RawQuery != "" || shown.User != nil || shown.Fragment != "" ||
			shown.Host != u.url.Host || shown.Path != u.url.Path {
			t.Errorf("%q is shown as %q, %v", text, u, err)
		}
		if ip := net.ParseIP(u.url.Hostname()); u.url.Scheme != "https" && u.url.Hostname() != "localhost" &&
			(ip == nil || !ip.IsLoopback()) {
			t.Errorf("%q goes to %s in the clear", text, u.url.Host)
		}
	})
}
