// Command loglines writes a labelled sample of log lines: each is what one log statement of a made-up program printed, with the
// statement's number before it. The statements cover the loggers that containers use; names, addresses, durations and errors are drawn
// at random from a fixed seed, so that two runs write the same.
//
//	go run . -out ../../../internal/logpattern/testdata/labelled.tsv
package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"strings"
	"time"
)

func main() {
	out := flag.String("out", "labelled.tsv", "the file to write")
	n := flag.Int("n", 4000, "lines")
	flag.Parse()
	if err := write(*out, *n); err != nil {
		log.Fatal(err)
	}
}

func write(path string, n int) error {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("writing the sample: %w", err)
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	g := generator{rng: rand.New(rand.NewPCG(20, 26)), at: time.Date(2026, 3, 4, 10, 0, 0, 0, time.UTC)}
	list := statements()
	for range n {
		i := g.pick(len(list))
		fmt.Fprintf(w, "%d\t%s\n", i, g.line(list[i]))
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("writing the sample: %w", err)
	}
	return f.Close()
}

// A statement is a logger with a format: {…} are filled in.
type statement struct{ logger, level, text string }

type generator struct {
	rng *rand.Rand
	at  time.Time
}

// pick draws a statement: some log often, most seldom, as in real logs.
func (g *generator) pick(n int) int {
	return min(int(float64(n)*g.rng.Float64()*g.rng.Float64()), n-1)
}

func (g *generator) of(words ...string) string { return words[g.rng.IntN(len(words))] }

// line writes one line of a statement in its logger's form.
func (g *generator) line(s statement) string {
	g.at = g.at.Add(time.Duration(g.rng.IntN(900)) * time.Millisecond)
	text := g.fill(s.text)
	level := strings.ToLower(s.level)
	at := g.at
	switch s.logger {
	case "klog":
		return fmt.Sprintf("%s%s %7d %s", s.level[:1], at.Format("0102 15:04:05.000000"), 1, text)
	case "logrus":
		return fmt.Sprintf("time=%q level=%s %s", at.Format(time.RFC3339), level, text)
	case "zap":
		return fmt.Sprintf(`{"level":"%s","ts":%d.%06d,%s}`, level, at.Unix(), at.Nanosecond()/1000, text)
	case "zapiso":
		return fmt.Sprintf(`{"level":"%s","ts":"%s",%s}`, level, at.Format("2006-01-02T15:04:05.000Z0700"), text)
	case "console":
		return fmt.Sprintf("%s\t%s\t%s", at.Format("2006-01-02T15:04:05.000Z"), s.level, strings.ReplaceAll(text, "|", "\t"))
	case "slog":
		return fmt.Sprintf("time=%s level=%s %s", at.Format("2006-01-02T15:04:05.000Z07:00"), s.level, text)
	case "slogjson":
		return fmt.Sprintf(`{"time":"%s","level":"%s",%s}`, at.Format(time.RFC3339Nano), s.level, text)
	case "go":
		return at.Format("2006/01/02 15:04:05 ") + text
	case "capnslog":
		return fmt.Sprintf("%s %s | %s", at.Format("2006-01-02 15:04:05.000000"), s.level[:1], text)
	case "python":
		return fmt.Sprintf("%s %s %s", at.Format("2006-01-02 15:04:05,000"), s.level, text)
	case "java":
		return fmt.Sprintf("%s [main] %s %s", at.Format("2006-01-02 15:04:05.000"), s.level, text)
	case "access":
		return fmt.Sprintf("%s - - [%s] %s", g.value("ip"), at.Format("02/Jan/2006:15:04:05 -0700"), text)
	}
	return text
}

// fill replaces {kind} by values of that kind.
func (g *generator) fill(text string) string {
	var sb strings.Builder
	for {
		before, rest, ok := strings.Cut(text, "{{")
		sb.WriteString(before)
		if !ok {
			return sb.String()
		}
		kind, after, _ := strings.Cut(rest, "}}")
		sb.WriteString(g.value(kind))
		text = after
	}
}

func (g *generator) value(kind string) string {
	n := g.rng.IntN
	switch kind {
	case "name":
		s := g.of("web", "orders", "payments", "search-index", "auth-proxy", "cache-warmer", "mail-relay", "catalog", "image-resizer", "ledger-api", "edge-router", "report-builder")
		if n(2) == 0 {
			s += fmt.Sprintf("-%x", 0x1000+n(0xefff))
		}
		return s
	case "ns":
		return g.of("prod", "staging", "kube-system", "monitoring", "default", "team-blue", "ci")
	case "nsname":
		return g.value("ns") + "/" + g.value("name")
	case "pod":
		return fmt.Sprintf("%s-%x-%s", g.of("web", "orders", "payments", "catalog"), 0x10000000+n(0x7fffffff), g.of("x7k2p", "bz8mq", "q4fnd", "lmwvt", "t2hcs"))
	case "node":
		return fmt.Sprintf("node-%d", 1+n(9))
	case "ip":
		return fmt.Sprintf("10.%d.%d.%d", n(250), n(250), 1+n(250))
	case "addr":
		return fmt.Sprintf("10.%d.%d.%d:%d", n(250), n(250), 1+n(250), 1024+n(60000))
	case "uuid":
		return fmt.Sprintf("%08x-%04x-4%03x-a%03x-%012x", g.rng.Uint32(), n(1<<16), n(1<<12), n(1<<12), g.rng.Uint64N(1<<48))
	case "id":
		const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
		b := make([]byte, 5)
		for i := range b {
			b[i] = letters[n(len(letters))]
		}
		return string(b)
	case "dur":
		return time.Duration(n(5000000)*1000 + 1000).String()
	case "int":
		return fmt.Sprint(n(100000))
	case "small":
		return fmt.Sprint(n(12))
	case "port":
		return fmt.Sprint(1024 + n(60000))
	case "hex":
		return fmt.Sprintf("%016x", g.rng.Uint64())
	case "path":
		return fmt.Sprintf("/var/lib/%s/%s/%s", g.of("kubelet", "containers", "data"), g.of("pods", "volumes", "cache"), g.value("uuid"))
	case "url":
		return fmt.Sprintf("https://%s.%s.svc:%d/%s", g.value("name"), g.value("ns"), 8000+n(1000), g.of("api/v1/items", "healthz", "query", "api/v2/orders"))
	case "version":
		return fmt.Sprintf("v1.%d.%d", n(30), n(12))
	case "user":
		return g.of("alice", "bob", "carol", "dave", "erin", "frank", "grace")
	case "resource":
		return g.of("*v1.Pod", "*v1.Secret", "*v1.ConfigMap", "*v1.Node", "*v1.Deployment", "*v1beta1.EndpointSlice")
	case "controller":
		return g.of("ConfigObserver", "RevisionController", "LoggingSyncer", "NodeController", "StatusSyncer", "PruneController", "ResourceSync")
	case "bool":
		return g.of("true", "false")
	case "err":
		return g.of("connection refused", "i/o timeout", "no such host", "context deadline exceeded", "EOF")
	case "method":
		return g.of("GET", "POST", "PUT", "DELETE")
	case "code":
		return g.of("200", "201", "204", "404", "500")
	}
	return "{{" + kind + "}}"
}
