package wait

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/internal/dumptest"
)

// A row is goroutines of a dump in one stack, each started by another one from parent on.
type row struct {
	n, first, step, minutes, parent int
	state, stack                    string
}

// rows is a dump of them, in Go's own form.
func rows(t *testing.T, all ...row) *rules.DumpInput {
	t.Helper()
	var b strings.Builder
	for _, r := range all {
		for i := range r.n {
			minutes := max(0, r.minutes-i)
			fmt.Fprintf(&b, "goroutine %d [%s, %d minutes]:\n", r.first+i*r.step, r.state, minutes)
			if minutes == 0 {
				t.Fatal("each must have waited for a minute")
			}
			fmt.Fprintf(&b, "%s in goroutine %d\n\t/src/shop/shop.go:16 +0x20\n\n", r.stack, r.parent+i*r.step)
		}
	}
	b.WriteString("goroutine 1 [chan receive, 30 minutes]:\nmain.main()\n\t/src/shop/main.go:9 +0x20\n\n" +
		"goroutine 5 [chan receive, 30 minutes]:\nos/signal.loop()\n\t/usr/local/go/src/os/signal/signal.go:9 +0x20\n" +
		"created by os/signal.Notify in goroutine 1\n\t/usr/local/go/src/os/signal/signal.go:7 +0x20\n\n")
	return ready(dumptest.ParseDumps([]byte(b.String()))[0])
}

func TestWritersOfPipesAreLeftWhereTheRequestsThatStartedThemAreOver(t *testing.T) {
	const (
		writes = "io.(*pipe).write(0xc000010000)\n\t/usr/local/go/src/io/pipe.go:86\nio.(*PipeWriter).Write(0xc000010000)\n" +
			"\t/usr/local/go/src/io/pipe.go:161\nshop.produce()\n\t/src/shop/shop.go:20\ncreated by shop.(*Service).Export"
		looks = "kit.watch()\n\t/src/shop/kit/kit.go:40\ncreated by kit.Start"
		ticks = "shop.(*Service).nightly()\n\t/src/shop/shop.go:40\ncreated by shop.Main"
		sends = "internal/poll.(*FD).Write()\n\t/usr/local/go/src/internal/poll/fd.go:3\nio.Copy()\n" +
			"\t/usr/local/go/src/io/io.go:8\nshop.(*Uploads).run()\n\t/src/shop/shop.go:50\ncreated by shop.Main"
	)
	left := row{25, 20, 10, 29, 19, "select", writes}
	for _, c := range []struct {
		name string
		all  []row
		want string
	}{
		{"a loop ticks beside them", []row{left, {1, 9, 1, 1, 1, "chan receive", ticks}}, "medium shop.produce"},
		{"another one has been at a select of another package for as long", []row{left, {1, 9, 1, 29, 1, "select", looks}},
			"medium shop.produce"},
		// Near misses.
		{"for ten minutes", []row{{10, 20, 10, 10, 19, "select", writes}, {1, 9, 1, 1, 1, "chan receive", ticks}}, ""},
		{"the loop has been at it for as long", []row{left, {1, 9, 1, 28, 1, "chan receive", ticks}}, ""},
		{"one by one is sent", []row{left, {1, 9, 1, 1, 1, "IO wait", sends}}, ""},
	} {
		if got := judged(rows(t, c.all...), "channel-send-leak"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A handler starts a goroutine that sends it an error, and waits for that beside its client. Go 1.19 prints no parents.
func TestSendersOfCallsThatHaveEndedAreLeftWhereThoseThatGoOnHaveOneEach(t *testing.T) {
	senders := func(n, minutes int, parent string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "goroutine %d [chan send, %d minutes]:\nruntime.gopark(0x0?)\n\t/usr/local/go/src/runtime/proc.go:363 +0xd6\n"+
				"runtime.chansend(0xc0000%02x000, 0xc0009d4f70, 0x1, 0xf4240?)\n\t/usr/local/go/src/runtime/chan.go:259 +0x42c\n"+
				"runtime.chansend1(0xc00004e0c0?, 0x23b16f0?)\n\t/usr/local/go/src/runtime/chan.go:145 +0x1d\n"+
				"shop.(*API).events.func1()\n\t/src/shop/shop.go:20 +0x20\ncreated by shop.(*API).events%s\n\t/src/shop/shop.go:16 +0x20\n\n",
				100+i, minutes, i, parent)
		}
		return b.String()
	}
	const (
		call = "goroutine %d [%s, 50 minutes]:\nshop.(*API).events()\n\t/src/shop/shop.go:30 +0x20\n" +
			"net/http.(*conn).serve()\n\t/usr/local/go/src/net/http/server.go:2 +0x20\ncreated by net/http.(*Server).Serve\n" +
			"\t/usr/local/go/src/net/http/server.go:3 +0x20\n\n"
		reads = "goroutine %d [select, 50 minutes]:\nlib.(*Log).Follow()\n\t/mod/lib@v1.0.0/log.go:9 +0x20\nshop.(*API).events.func1()\n" +
			"\t/src/shop/shop.go:18 +0x20\ncreated by shop.(*API).events\n\t/src/shop/shop.go:16 +0x20\n\n"
	)
	calls := fmt.Sprintf(call, 30, "select") + fmt.Sprintf(call, 31, "select")
	pair := calls + fmt.Sprintf(reads, 32) + fmt.Sprintf(reads, 33)
	for _, c := range []struct{ name, text, want string }{
		{"for seven minutes", pair + senders(12, 7, ""), "medium shop.(*API).events.func1"},
		// Near misses.
		{"for four minutes", pair + senders(12, 4, ""), ""},
		{"a call that goes on has started them", pair + senders(12, 7, " in goroutine 30"), ""},
		{"a call has none: it may be reading from them", calls + fmt.Sprintf(reads, 32) + senders(12, 7, ""), ""},
		{"a call works", pair + strings.Replace(fmt.Sprintf(call, 34, "sleep"), "shop.(*API)", "time.Sleep()\n"+
			"\t/usr/local/go/src/time/sleep.go:3\nshop.(*API)", 1) + senders(12, 7, ""), ""},
	} {
		d := ready(dumptest.ParseDumps([]byte(wholeText + c.text))[0])
		if got := judged(d, "channel-send-leak"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
