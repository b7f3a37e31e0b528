package stackparse

import (
	"math"
	"strings"
	"testing"
)

func TestParseHeader_EveryFormOfGo1_2To1_27(t *testing.T) {
	plain := func(id uint64, state string) header { return header{id: id, state: []byte(state)} }
	with := func(h header, change func(*header)) header { change(&h); return h }
	tests := []struct {
		line string
		want header
	}{
		{"goroutine 1 [running]:", plain(1, "running")}, // 1.2
		{"goroutine 19 [select (no cases)]:", plain(19, "select (no cases)")},
		{"goroutine 0 [idle]:", plain(0, "idle")}, // 1.4
		{"goroutine 5 [select, 1 minutes]:", with(plain(5, "select"), func(h *header) { h.minutes = 1 })},
		{"goroutine 17 [syscall, 142 minutes, locked to thread]:", with(plain(17, "syscall"), func(h *header) { h.minutes, h.flags = 142, FlagLocked })},
		{"goroutine 17 [runnable, locked to thread]:", with(plain(17, "runnable"), func(h *header) { h.flags = FlagLocked })},
		{"goroutine 3 [chan receive (scan), 2 minutes]:", with(plain(3, "chan receive"), func(h *header) { h.minutes, h.flags = 2, FlagScan })}, // 1.9
		{"goroutine 3 [chan receive (nil chan), 2 minutes]:", with(plain(3, "chan receive (nil chan)"), func(h *header) { h.minutes = 2 })},
		{"goroutine 3 [GC worker (idle) (scan)]:", with(plain(3, "GC worker (idle)"), func(h *header) { h.flags = FlagScan })},
		{"goroutine 7 gp=0xc000007880 m=nil [runnable]:", with(plain(7, "runnable"), func(h *header) { h.gp = true })}, // 1.22
		{"goroutine 1 gp=0xc0000061c0 m=12 mp=0xc000100008 [running, locked to thread]:", with(plain(1, "running"), func(h *header) { h.gp, h.flags = true, FlagLocked })},
		{"goroutine 0 gp=0x68abe0 m=0 mp=0x68b9a0 [idle]:", with(plain(0, "idle"), func(h *header) { h.gp = true })},
		{"goroutine 8 [select (synctest), synctest group 3]:", with(plain(8, "select (synctest)"), func(h *header) { h.bubble = 3 })}, // 1.24
		{"goroutine 8 [select (durable), synctest bubble 3]:", with(plain(8, "select"), func(h *header) { h.bubble, h.flags = 3, FlagDurable })},
		{"goroutine 8 [sleep (durable), 2 minutes, synctest bubble 4]:", with(plain(8, "sleep"), func(h *header) { h.bubble, h.minutes, h.flags = 4, 2, FlagDurable })},
		{"goroutine 8 [chan receive (scan) (durable), synctest bubble 4]:", with(plain(8, "chan receive"), func(h *header) { h.bubble, h.flags = 4, FlagDurable|FlagScan })},
		{"goroutine 21 [chan send (leaked)]:", with(plain(21, "chan send"), func(h *header) { h.flags = FlagLeaked })}, // 1.26
		{"goroutine 21 [chan receive (nil chan) (leaked) (scan), 5 minutes]:", with(plain(21, "chan receive (nil chan)"), func(h *header) { h.minutes, h.flags = 5, FlagLeaked|FlagScan })},
		{`goroutine 9 [select labels:{"queue": "a]b}"}]:`, with(plain(9, "select"), func(h *header) { h.labels = []byte(`"queue": "a]b}"`) })},
		{`goroutine 9 [chan receive, 2 minutes, locked to thread labels:{"k": "v", "k2": ", 9 minutes"}]:`, with(plain(9, "chan receive"), func(h *header) {
			h.minutes, h.flags, h.labels = 2, FlagLocked, []byte(`"k": "v", "k2": ", 9 minutes"`)
		})},
		{`goroutine 9 gp=0x1 m=nil [select labels:{"k": "labels:{}]:"}]:`, with(plain(9, "select"), func(h *header) { h.gp, h.labels = true, []byte(`"k": "labels:{}]:"`) })},
		{`goroutine 7 [select] {queue: "a b"}:`, with(plain(7, "select"), func(h *header) { h.labels, h.outside = []byte(`queue: "a b"`), true })}, // 1.27
		{`goroutine 7 [select, 3 minutes] {k: v, k2: "v] {w}:"}:`, with(plain(7, "select"), func(h *header) { h.minutes, h.labels, h.outside = 3, []byte(`k: v, k2: "v] {w}:"`), true })},
		{`goroutine 7 gp=0x1 m=nil [chan send (leaked), 3 minutes] {k: v}:`, with(plain(7, "chan send"), func(h *header) {
			h.gp, h.minutes, h.flags, h.labels, h.outside = true, 3, FlagLeaked, []byte(`k: v`), true
		})},
		{"goroutine 18446744073709551615 [select]:", plain(math.MaxUint64, "select")},
		{"goroutine 4 [some state of a later release, lives in the cloud, 2 minutes]:", with(plain(4, "some state of a later release"), func(h *header) { h.minutes = 2 })},
		{"goroutine 4 [???]:", plain(4, "???")},
		{"goroutine 4 [select, 99999999999 minutes]:", with(plain(4, "select"), func(h *header) { h.minutes = math.MaxUint32 })},
	}
	for _, test := range tests {
		got, ok := parseHeader([]byte(test.line))
		if !ok {
			t.Errorf("%s: refused", test.line)
			continue
		}
		if !equalHeaders(got, test.want) {
			t.Errorf("%s:\n got %+v\nwant %+v", test.line, got, test.want)
		}
		if d := parseOne(t, test.line+"\nmain.f()\n\t/a.go:1 +0x1\n"); d.Goroutines != 1 {
			t.Errorf("%s: the parser counts %d", test.line, d.Goroutines)
		}
	}
}

func equalHeaders(a, b header) bool {
	return a.id == b.id && string(a.state) == string(b.state) && a.minutes == b.minutes && a.bubble == b.bubble &&
		string(a.labels) == string(b.labels) && a.flags == b.flags && a.gp == b.gp && a.outside == b.outside
}

func TestParseHeader_RefusesWhatIsNone(t *testing.T) {
	for _, line := range []string{
		"", ":", "goroutine", "goroutine 1", "goroutine 1 [running]", "goroutine 1 []:", "goroutine [running]:", "goroutine x [running]:",
		"goroutine 1 running:", "goroutine 1[running]:", "goroutine 1  [running]:", "goroutine -1 [running]:", "goroutine 1 [running]: ",
		"goroutine 18446744073709551616 [select]:", "goroutine 99999999999999999999999 [select]:", "Goroutine 1 [running]:",
		"goroutine 7 (running) created at:", "goroutine profile: total 7:", "goroutine 7 gp=0x1 [running]:", "goroutine 7 gp=1 m=nil [running]:",
		"goroutine 7 gp=0x1 m=x [running]:", "goroutine 7 gp=0x1 m=99999999999 [running]:", "goroutine 7 [running} {k: v}:", "goroutine 7 {k: v}:",
		"goroutine 12 [running", "goroutine 1 gp=0x1 m=3 mp=0x", "goroutine 1 gp=0x1 m=3 mp=0x1:", "goroutine 1 [,]:",
	} {
		if h, ok := parseHeader([]byte(line)); ok {
			t.Errorf("%q: %+v", line, h)
		}
	}
}

func TestPlainLabels_AreAlikeInBothForms(t *testing.T) {
	tests := []struct{ text, want string }{
		{`"queue": "orders", "shard": "3"`, "queue: orders, shard: 3"}, // 1.26
		{`queue: orders, shard: 3`, "queue: orders, shard: 3"},         // 1.27
		{`queue: "a b", "odd key": v`, "queue: a b, odd key: v"},
		{`k: "tab\tquote\"end"`, "k: tab\tquote\"end"},
		{`k: "never closed`, `k: "never closed`},
		{``, ``},
	}
	for _, test := range tests {
		if got := plainLabels([]byte(test.text)); got != test.want {
			t.Errorf("%s: got %q, want %q", test.text, got, test.want)
		}
	}
}

func TestDump_LabelsOfBothFormsAreKeptPerGoroutine(t *testing.T) {
	text := strings.Replace(pair, "[chan receive]:", `[chan receive] {queue: "a b"}:`, 1)
	d := parseOne(t, text+"\n"+strings.NewReplacer("goroutine 7", "goroutine 70", "goroutine 8", "goroutine 80",
		"[chan receive]:", `[chan receive labels:{"queue": "a b", "n": "1"}]:`).Replace(pair))
	if got := summary(d); got != "4*main.inner<main.outer^main.main" {
		t.Errorf("labels are no identity: %s", got)
	}
	var got []string
	for _, g := range d.Buckets[0].Goroutines {
		got = append(got, d.Labels[g.Labels])
	}
	if want := "|queue: a b||queue: a b, n: 1"; strings.Join(got, "|") != want {
		t.Errorf("got %q, want %q", strings.Join(got, "|"), want)
	}
}
