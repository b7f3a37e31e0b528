package framing

import (
	"encoding/xml"
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
	for text, want := range map[string]string{
		"a&#xA;b&#10;c&#x9;d":      "a\nb\nc\td",
		"&lt;&gt;&amp;&quot;&#39;": "<>&\"'",
		"&;&x;&#;&#x;&#xZZ;&lt":    "&;&x;&#;&#x;&#xZZ;&lt",
		"a & b; c &amp":            "a & b; c &amp",
	} {
		if got := string(appendDecoded(nil, []byte(text))); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
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
