package stackparse

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestDoubt_IsReportedWhenTheDumpGoesOn(t *testing.T) {
	var d pendingUnparsed
	var dump Dump
	d.add(3, []byte("a"))
	d.add(4, []byte("b"))
	d.dropLast()
	d.add(5, []byte("c"))
	d.commit(&dump)
	d.add(6, []byte("after it"))
	d.reset()
	d.commit(&dump)
	if dump.UnparsedLines != 2 || len(dump.Unparsed) != 2 || dump.Unparsed[0].Text != "a" || dump.Unparsed[1].Text != "c" {
		t.Errorf("got %d: %v", dump.UnparsedLines, dump.Unparsed)
	}
}

func TestDoubt_UndoPastTheBoundKeepsTheFirst(t *testing.T) {
	var d pendingUnparsed
	var dump Dump
	for i := range maxUnparsed + 5 {
		d.add(int64(i), []byte("x"))
	}
	d.dropLast()
	d.commit(&dump)
	if dump.UnparsedLines != maxUnparsed+4 || len(dump.Unparsed) != maxUnparsed {
		t.Errorf("got %d and %d", dump.UnparsedLines, len(dump.Unparsed))
	}
	d.dropLast() // of nothing
	if d.lines != 0 {
		t.Errorf("%d lines", d.lines)
	}
}

func TestCutText_CutsBetweenRunes(t *testing.T) {
	for n := range 20 {
		got := cutText([]byte("aüb€c😀 and more"), n)
		if len(got) > n || !utf8.ValidString(got) {
			t.Errorf("%d: %q", n, got)
		}
	}
	if got := cutText([]byte(strings.Repeat("\x80", 10)), 4); len(got) > 4 {
		t.Errorf("got %q", got)
	}
}

func TestSplicedHead_EndsWhereALogLineBegins(t *testing.T) {
	tests := []struct{ text, want string }{
		{`main.ouI0304 05:06:06.048422       1 a.go:5] x`, "main.ou"},
		{`main.f(0x1, time="2026-11-21T02:09:54Z" level=info`, "main.f(0x1, "},
		{"\t/src/ma{\"level\":\"info\"}", "\t/src/ma"},
		{"\t/src/main.go:2" + "2026/11/21 02:09:54 tick", "\t/src/main.go:2"},
		{"goroutine 82026-11-21 02:09:54 tick", "goroutine 8"},
		{`time="2026-11-21T02:09:54Z" level=info`, ""},
		{`  {"level":"info"}`, ""},
		{"plain text", ""},
		{"", ""},
	}
	for _, test := range tests {
		if got := string(splicedHead([]byte(test.text))); got != test.want {
			t.Errorf("%s: %q, want %q", test.text, got, test.want)
		}
	}
}
