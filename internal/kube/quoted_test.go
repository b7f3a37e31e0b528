package kube

import (
	"encoding/json"
	"fmt"
	"html"
	"strings"
	"testing"
)

const panicText = "panic: runtime error: invalid memory address or nil pointer dereference\n" +
	"[signal SIGSEGV: segmentation violation code=0x1 addr=0x18 pc=0x14b2a3c]\n\n" +
	"goroutine 73 [running]:\nexample.com/op/sync.(*Controller).statusOf(0xc0003a2000, 0x0)\n\t/src/sync/status.go:44 +0x1c\n" +
	"example.com/op/sync.(*Controller).reconcile(0xc0003a2000, {0xc000590120, 0x11})\n\t/src/sync/controller.go:141 +0x2a5\n"

// said is what an operator's event says of a container that ended.
func said(times int) string {
	text := panicText
	for range times {
		b, _ := json.Marshal(text) // a string can be marshalled
		text = string(b)
	}
	return `Status for clusteroperator/etcd changed: Degraded message changed from "" to "StaticPodsDegraded: pod/etcd-master-0 container \"etcd\" is terminated: Error: ` + text
}

func eventWith(name, message string) string {
	b, _ := json.Marshal(message) // a string can be marshalled
	return fmt.Sprintf(`{"apiVersion": "v1", "kind": "Event", "metadata": {"name": %q, "namespace": "etcd-operator"},
		"involvedObject": {"kind": "Deployment", "namespace": "etcd-operator", "name": "etcd-operator"}, "reason": "OperatorStatusChanged", "message": %s}`, name, b)
}

func TestATracebackThatAnEventQuotesNamesItsPod(t *testing.T) {
	for times := range 3 {
		c := Merge([]*Objects{read(t, "events.json", eventWith("a", said(times)))})
		if len(c.Tails) != 1 {
			t.Fatalf("quoted %d times: %d tracebacks", times, len(c.Tails))
		}
		tail := c.Tails[0]
		if tail.Pod != "etcd-master-0" || tail.Container != "etcd" || !tail.Quoted || !strings.HasPrefix(tail.Text, "panic: runtime error") ||
			!strings.Contains(tail.Text, "\n\t/src/sync/status.go:44 +0x1c\n") {
			t.Errorf("quoted %d times: %+v", times, tail)
		}
	}
}

func TestATracebackThatTwoEventsQuoteCountsOnce(t *testing.T) {
	message := said(1)
	c := Merge([]*Objects{read(t, "a.json", eventWith("a", message)), read(t, "b.json", eventWith("b", message))})
	if len(c.Tails) != 1 || c.Tails[0].Pod != "etcd-master-0" {
		t.Errorf("%+v", c.Tails)
	}
}

func TestACrashThatIsQuotedWithoutFramesIsNoTraceback(t *testing.T) {
	for _, message := range []string{
		"pod/web-0 is terminated: panic: runtime error: invalid memory address or nil pointer dereference\n[signal SIGSEGV]",
		"goroutine 7 is mentioned in main.go:12", "nothing",
	} {
		if c := Merge([]*Objects{read(t, "events.json", eventWith("a", message))}); len(c.Tails) > 0 {
			t.Errorf("%q: %+v", message, c.Tails)
		}
	}
}

func FuzzQuotedTail(f *testing.F) {
	f.Add([]byte(said(2)))
	f.Add([]byte(html.EscapeString(said(1))))
	f.Fuzz(func(t *testing.T, text []byte) {
		if tail := quotedTail(text); tail != "" && !isDumpTail(tail) {
			t.Errorf("%q", tail)
		}
	})
}
