package audit

import (
	"fmt"
	"strings"
	"time"
)

// A sample is an event to be written as an API server writes it; what is empty is left out.
type sample struct {
	id, level, stage, verb, user, impersonated, agent string
	group, resource, sub, namespace, name, version    string
	uri                                               string
	code                                              int
	message                                           string
	request, response                                 string
	at                                                time.Time
	took                                              time.Duration
}

// start is the time of the first event of most samples.
var start = time.Date(2026, 3, 4, 4, 40, 0, 0, time.UTC)

// write writes the event in the order of fields that the server has.
func (s sample) write() string {
	or := func(v, d string) string {
		if v == "" {
			return d
		}
		return v
	}
	var b strings.Builder
	fmt.Fprintf(&b, `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":%q,"auditID":%q,"stage":%q,"requestURI":%q,"verb":%q,"user":{"username":%q,"groups":["g"]}`,
		or(s.level, "Metadata"), s.id, or(s.stage, "ResponseComplete"), or(s.uri, "/apis/x"), s.verb, s.user)
	if s.impersonated != "" {
		fmt.Fprintf(&b, `,"impersonatedUser":{"username":%q}`, s.impersonated)
	}
	fmt.Fprintf(&b, `,"sourceIPs":["10.0.0.1"],"userAgent":%q,"objectRef":{"resource":%q,"namespace":%q,"name":%q,"apiGroup":%q,"apiVersion":"v1","resourceVersion":%q,"subresource":%q}`,
		or(s.agent, "agent/v1"), s.resource, s.namespace, s.name, s.group, s.version, s.sub)
	fmt.Fprintf(&b, `,"responseStatus":{"metadata":{},"message":%q,"code":%d}`, s.message, max(s.code, 200))
	if s.request != "" {
		b.WriteString(`,"requestObject":` + s.request)
	}
	if s.response != "" {
		b.WriteString(`,"responseObject":` + s.response)
	}
	at := s.at
	if at.IsZero() {
		at = start
	}
	const form = "2006-01-02T15:04:05.000000Z"
	fmt.Fprintf(&b, `,"requestReceivedTimestamp":%q,"stageTimestamp":%q,"annotations":{"authorization.k8s.io/decision":"allow"}}`,
		at.UTC().Format(form), at.Add(max(s.took, time.Millisecond)).UTC().Format(form))
	return b.String()
}

// logOf writes samples as JSON lines, each with an id of its own.
func logOf(samples ...sample) string {
	var b strings.Builder
	for i, s := range samples {
		if s.id == "" {
			s.id = fmt.Sprintf("id-%d-%s-%s-%d", i, s.user, s.name, s.at.UnixMicro())
		}
		b.WriteString(s.write())
		b.WriteByte('\n')
	}
	return b.String()
}
