package gocode

import (
	"os"
	"strings"
	"testing"
)

func TestOnlyTheCallsThatAreMarkedLeaveTheirResultsOpen(t *testing.T) {
	for _, name := range []string{"given-back", "left-open"} {
		text, err := os.ReadFile("testdata/" + name + ".go.txt")
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		found := map[int]bool{}
		p := New([]File{{"p.go", string(text)}}, "p.go", false)
		for _, o := range p.Openings() {
			found[p.Line(o.At)] = true
		}
		for i, line := range lines {
			if want := strings.HasSuffix(line, "// left"); found[i+1] != want {
				t.Errorf("%s, line %d: left open is %t\n%s", name, i+1, found[i+1], line)
			}
		}
	}
}

func TestCallsInAnEndlessFunctionAreReadInBoundedTime(t *testing.T) {
	text := "package p\nimport \"net/http\"\nfunc f(u string) error {\nr, err := http.Get(u)\n" +
		strings.Repeat("r, err = http.Get(u)\nif err != nil { return err }\n", 8000) + "r.Body.Close()\nreturn nil\n}\n"
	p := New([]File{{"p.go", text}}, "p.go", false)
	if n := len(p.Openings()); n == 0 || n >= 8000 {
		t.Errorf("%d calls are judged", n)
	}
}
