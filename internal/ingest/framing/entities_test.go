package framing

import (
	"encoding/xml"
	"reflect"
	"strings"
	"testing"
)

func TestADumpInAReportOfTestsIsReadLineByLine(t *testing.T) {
	dump := append([]string{"panic: test timed out after 1m0s", ""}, sampleDump(3)...)
	var escaped strings.Builder
	if err := xml.EscapeText(&escaped, []byte(strings.Join(dump, "\n")+"\n")); err != nil {
		t.Fatal(err)
	}
	in := "<?xml version=\"1.0\"?>\n<testsuite>\n\t<failure type=\"\">" + escaped.String() + "</failure>\n</testsuite>\n"
	lines, part := scanBytes(t, []byte(in), 0)
	if part.Lines != 4 {
		t.Errorf("%d lines, want 4", part.Lines)
	}
	if len(lines) != len(dump)+4 {
		t.Fatalf("%d lines handed on, want %d", len(lines), len(dump)+4)
	}
	for i, want := range dump {
		got := lines[i+2]
		if i == 0 {
			got.Text = strings.TrimPrefix(got.Text, "\t<failure type=\"\">")
		}
		if got.Text != want || got.Num != 3 {
			t.Errorf("line %d is %q of %d, want %q of 3", i, got.Text, got.Num, want)
		}
	}
}

func TestEntitiesElsewhereStay(t *testing.T) {
	const in = "GET /?a=1&#xA;b=2&amp;c\nit said: goroutine 1 &lt;running&gt;\n"
	lines, _ := scanBytes(t, []byte(in), 0)
	if len(lines) != 2 || lines[0].Text+"\n"+lines[1].Text+"\n" != in {
		t.Errorf("%+v", lines)
	}
}

func TestEntitiesOfALineAreResolved(t *testing.T) {
	const in = "x &lt;&gt;&amp;&quot;&#39;&;&x; a & b&#xA;goroutine 1 [running]:&#10;main.main()\n"
	lines, _ := scanBytes(t, []byte(in), 0)
	want := []string{"x <>&\"'&;&x; a & b", "goroutine 1 [running]:", "main.main()"}
	if len(lines) != len(want) {
		t.Fatalf("%d lines, want %d", len(lines), len(want))
	}
	for i := range want {
		if lines[i].Text != want[i] {
			t.Errorf("line %d is %q, want %q", i, lines[i].Text, want[i])
		}
	}
}

func TestSpacesThatDoNotBreakAreSpaces(t *testing.T) {
	dump := sampleDump(3)
	in := strings.ReplaceAll(strings.ReplaceAll(strings.Join(dump, "\n")+"\n", "\t", "    "), " ", "\u00a0")
	lines, _ := scanBytes(t, []byte(in), 0)
	if len(lines) != len(dump) {
		t.Fatalf("%d lines, want %d", len(lines), len(dump))
	}
	for i, want := range dump {
		if want = strings.ReplaceAll(want, "\t", "    "); lines[i].Text != want {
			t.Errorf("line %d is %q, want %q", i+1, lines[i].Text, want)
		}
	}
	const other = "price\u00a0list of goroutine 7\n"
	if lines, _ := scanBytes(t, []byte(other), 0); len(lines) != 1 || lines[0].Text+"\n" != other {
		t.Errorf("a text without a dump became %+v", lines)
	}
}

func TestADumpInAReportOfTestsMayBeFramed(t *testing.T) {
	const head = "2026-11-20T18:05:32.123460341Z stdout "
	dump := strings.Join(append(sampleDump(3), ""), "&#xA;")
	at := len(dump) / 2
	for name, in := range map[string]string{
		"in one line": head + "F <failure>&#xA;" + dump + "\n",
		"in pieces":   head + "P <failure>&#xA;" + dump[:at] + "\n" + head + "F " + dump[at:] + "\n",
	} {
		lines, part := scanBytes(t, []byte(in), 0)
		if len(lines) < 3 || part.Framing != "cri" {
			t.Fatalf("%s: %d lines of %s", name, len(lines), part.Framing)
		}
		for i, want := range sampleDump(3) {
			if got := lines[i+1]; got.Text != want || string(got.Stamp) != head[:len(head)-len(" stdout ")] {
				t.Errorf("%s: line %d is %q at %q, want %q", name, i+1, got.Text, got.Stamp, want)
			}
		}
	}
}

func TestWhatCameThroughAPageIsReadByLine(t *testing.T) {
	for name, first := range map[string]string{
		"entities": "goroutine 1 [select]:&#xA;goroutine 3 [select]:&#xA;",
		"spaces":   "goroutine\u00a01 [select]:",
	} {
		for _, w := range wrappings {
			in := w.line(first) + "\n"
			for _, l := range sampleDump(3) {
				in += w.line(strings.ReplaceAll(l, "(", "(\u00a0&#xA;")) + "\n"
			}
			want, _ := dumpsOf(t, []byte(in), len(in), byLine)
			if got, _ := dumpsOf(t, []byte(in), len(in), whole); !reflect.DeepEqual(want, got) {
				t.Errorf("%s in %s: other dumps", name, w.name)
			}
		}
	}
}
