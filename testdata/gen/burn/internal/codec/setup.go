package codec

import (
	"context"
	"fmt"
	"math/rand"
	"net/http"
	"regexp"
	"strings"
	"text/template"
	"time"
	_ "time/tzdata" // zones are there on any machine

	"example.com/fixtures/burn/run"
)

// A Mailer renders mails with a template that it parses each time.
type Mailer struct{ outbox map[string]string }

func startMailer(s *run.Service) error {
	m := &Mailer{outbox: map[string]string{}}
	s.Reconcile(1, m.Reconcile)
	return nil
}

const mail = `Dear {{.Name}},
{{range $i, $p := .Pods}}{{if gt $i 0}}, {{end}}pod {{$p | printf "%q"}}{{else}}nothing{{end}}
{{with .Note}}Note: {{.}}{{end}}{{if and .Name .Pods}} since {{len .Pods}} pods are not ready{{end}}.
{{define "foot"}}-- {{.}}{{end}}{{template "foot" .Name}}
`

// Reconcile is called for each object.
func (m *Mailer) Reconcile(ctx context.Context, key string) error {
	for i := 0; i < 5; i++ {
		text, err := m.render(key)
		if err != nil {
			return err
		}
		m.outbox[key] = text
	}
	return nil
}

func (m *Mailer) render(key string) (string, error) {
	t, err := template.New("mail").Parse(mail)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = t.Execute(&b, map[string]interface{}{"Name": key, "Pods": []string{"a", "b"}, "Note": "look"})
	return b.String(), err
}

func startNames(s *run.Service) error {
	mux := http.NewServeMux()
	mux.HandleFunc("/validate", handleValidate)
	return s.Serve(mux, 2, "/validate")
}

// handleValidate checks the names of a request's objects.
func handleValidate(w http.ResponseWriter, r *http.Request) {
	bad := 0
	for i := 0; i < 40; i++ {
		if !validName(fmt.Sprint("object-", i)) {
			bad++
		}
	}
	fmt.Fprintln(w, bad)
}

func validName(name string) bool {
	return regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$`).MatchString(name)
}

// A Filter looks at every line that it is sent.
type Filter struct {
	pattern *regexp.Regexp
	lines   []string
	hits    int
}

func startFilter(s *run.Service) error {
	f := &Filter{pattern: regexp.MustCompile(`(?i)(error|fail(ed|ure)?|timeout|refused).*(node|pod|disk)-[0-9]+\s+(is|was)\s+(\w+)`)}
	for i := 0; i < 50; i++ {
		f.lines = append(f.lines, fmt.Sprintf("2026-01-02 scheduler %d: Failed to bind, refused by node-%d for now and then, other words follow here", i, i))
	}
	s.Reconcile(1, f.Reconcile)
	return nil
}

// Reconcile is called for each source of lines.
func (f *Filter) Reconcile(ctx context.Context, key string) error {
	for _, line := range f.lines {
		if f.suspicious(line) {
			f.hits++
		}
	}
	return nil
}

func (f *Filter) suspicious(line string) bool { return f.pattern.MatchString(line) }

// A Schedule says when jobs run next, in the time zone of each.
type Schedule struct{ next map[string]time.Time }

func startSchedule(s *run.Service) error {
	c := &Schedule{next: map[string]time.Time{}}
	s.Reconcile(1, c.Reconcile)
	return nil
}

var zones = []string{"Europe/Berlin", "America/New_York", "Asia/Tokyo", "Australia/Sydney"}

// Reconcile is called for each job.
func (c *Schedule) Reconcile(ctx context.Context, key string) error {
	for _, zone := range zones {
		at, err := c.local(time.Unix(1700000000, 0), zone)
		if err != nil {
			return err
		}
		c.next[key] = at.Add(time.Hour)
	}
	return nil
}

func (c *Schedule) local(t time.Time, zone string) (time.Time, error) {
	l, err := time.LoadLocation(zone)
	if err != nil {
		return t, err
	}
	return t.In(l), nil
}

// A Backoff spreads retries.
type Backoff struct{ total time.Duration }

func startBackoff(s *run.Service) error {
	b := &Backoff{}
	s.Reconcile(1, b.Reconcile)
	return nil
}

// Reconcile is called for each object.
func (b *Backoff) Reconcile(ctx context.Context, key string) error {
	for i := 0; i < 30; i++ {
		b.total += b.jitter(time.Second)
	}
	return nil
}

func (b *Backoff) jitter(d time.Duration) time.Duration {
	r := rand.New(rand.NewSource(time.Now().UnixNano()))
	return d + time.Duration(r.Int63n(int64(d)))
}
