package kube

import (
	"bytes"
	"cmp"
	"html"
	"regexp"
	"strings"
	"sync"
)

// Tracebacks are quoted in events and conditions: an operator that reports how a static pod ended puts the container's
// termination message into its own status, and the change of that into an event (OpenShift library-go,
// staticpod/controller). Each quotes the text before, escaped, and cut at the end.

// Bounds on quoted tracebacks.
const (
	maxQuoting = 4        // escapes within escapes
	maxQuoted  = 16 << 10 // of an event's message
	maxTails   = 1000     // of one source
)

var goroutineMark = []byte("goroutine ")

// quotedTail returns the traceback that a text quotes, decoded, from its first line on; "" for none with frames.
func quotedTail(text []byte) string {
	if len(text) < 100 || !bytes.Contains(text, goroutineMark) || !bytes.Contains(text, []byte(".go:")) {
		return ""
	}
	s := string(most(text, maxQuoted))
	for range maxQuoting {
		if tail := fromMark(s); isDumpTail(tail) {
			return tail
		}
		next := string(unescape([]byte(html.UnescapeString(s))))
		if next == s {
			return ""
		}
		s = next
	}
	return ""
}

// marks begin a traceback in the middle of a line.
var marks = []string{"panic: ", "fatal error: ", "unexpected fault address ", "SIGQUIT: ", "goroutine "}

// fromMark is the text from the first mark on, "" where it has none.
func fromMark(s string) string {
	first := -1
	for _, m := range marks {
		if i := strings.Index(s, m); i >= 0 && (first < 0 || i < first) {
			first = i
		}
	}
	if first < 0 {
		return ""
	}
	return s[first:]
}

// quotedFrom finds out whose traceback a text quotes: `pod/kube-apiserver-master-0 container "kube-apiserver" is
// terminated`, `back-off restarting failed container=app pod=web-0_shop(uid)`.
var quotedFrom = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`pod/([a-z0-9][a-z0-9.-]{0,252})`),
		regexp.MustCompile(`container[= \\]*"?([a-z0-9][a-z0-9-]{0,62})`),
	}
})

// quote takes a traceback that an object's message quotes; about is what the message is about.
func (r *Reader) quote(text []byte, about Ref, at At) {
	tail := quotedTail(text)
	if tail == "" || len(r.out.tails) >= maxTails || !r.store.take(300+len(tail)) {
		return
	}
	t := Tail{At: at, Namespace: about.Namespace, Quoted: true, Text: tail, Restart: -1}
	head := html.UnescapeString(string(most(text, maxQuoted)))
	head = head[:max(0, strings.Index(head, "goroutine "))]
	if m := quotedFrom()[0].FindStringSubmatch(head); m != nil {
		t.Pod, t.Namespace = strings.TrimRight(m[1], ".-"), "" // whose it is, the pods say
	}
	if about.Kind == "Pod" {
		t.Pod, t.Namespace = about.Name, about.Namespace
	}
	if m := quotedFrom()[1].FindStringSubmatch(head); m != nil {
		t.Container = m[1]
	}
	if t.Pod == "" {
		t.Of = strings.TrimSpace(cmp.Or(about.Kind, "object") + " " + about.Name)
	}
	r.out.tails = append(r.out.tails, t)
}

// quotedConditions takes the tracebacks that the conditions of an object quote.
func (r *Reader) quotedConditions(n int32, m *Meta) {
	t := &r.tree
	t.each(t.at(n, "status", "conditions"), maxConditions, func(e int32) {
		if text := t.text(t.get(e, "message")); len(text) > 100 {
			r.quote(text, m.Ref, m.At)
		}
	})
}
