package browser

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// parts are the names of a page's elements and attributes, and the addresses, ids and styles that it holds.
const parts = `[...new Set([...document.querySelectorAll("*")].flatMap((e) => [e.tagName, ...[...e.attributes].map((a) =>
	a.name === "href" || a.name === "src" ? e.tagName + " " + a.name + "=" + a.value.replace(/^#.*/, "#") :
	a.name === "style" ? e.tagName + " style " + a.value.replace(/[0-9.]+/g, "0") : e.tagName + " " + a.name)]))]`

// TestTextsOfStrangersAreTextOnAPage opens the page of the inputs that tools/injections/inputs writes with each of its
// texts. A page may have no element, attribute, address or style that pages of honest inputs have not.
func TestTextsOfStrangersAreTextOnAPage(t *testing.T) {
	b := &tab{Context: browser(t)}
	for _, err := range []error{chromedp.Listen(b, b.event), enable(b)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	dir := t.TempDir()
	cmd := exec.Command("go", "run", "../injections/inputs", dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	file := filepath.Join(t.TempDir(), "report.html")
	visit := func(args ...string) []string {
		triage(t, append(args, "-o", "html", "--out", file)...)
		b.mu.Lock()
		b.messages, b.requests = nil, nil
		b.mu.Unlock()
		b.do(t, chromedp.Navigate(address(file, "")))
		b.wait(t, `document.documentElement.dataset.ready === "true"`)
		return eval[[]string](t, b, parts)
	}
	honest := map[string]bool{}
	for name := range pages {
		for _, p := range visit(inputsOf(name)...) {
			honest[p] = true
		}
	}
	for _, p := range visit(filepath.Join(dir, "0")) {
		honest[p] = true
	}
	rules, err := os.ReadFile(filepath.Join("..", "..", "docs", "rules.md"))
	if err != nil {
		t.Fatal(err)
	}
	check := func(name string, args ...string) {
		var foreign []string
		for _, p := range visit(args...) {
			link, isLink := strings.CutPrefix(p, "A href=")
			if !honest[p] && (!isLink || !strings.Contains(string(rules), "<"+link+">")) {
				foreign = append(foreign, p)
			}
		}
		if len(foreign) > 0 {
			t.Errorf("%s: the page has %s", name, strings.Join(foreign, ", "))
		}
		if eval[bool](t, b, `"pwned" in window`) {
			t.Errorf("%s ran", name)
		}
		b.quiet(t, file)
	}
	inputs, err := os.ReadDir(dir)
	if err != nil || len(inputs) < 200 {
		t.Fatalf("%d inputs: %v", len(inputs), err)
	}
	// Four in a page: what is shown of each is the same.
	var four []string
	for i := range inputs {
		four = append(four, filepath.Join(dir, strconv.Itoa(i)))
		if testing.Short() && i/4%8 != 0 { // all take half a minute
			four = nil
			continue
		}
		if len(four) == 4 || i == len(inputs)-1 {
			check("the text "+strconv.Itoa(i)+" or one of three before it", four...)
			four = nil
		}
		if i%4 == 0 {
			check("the report with text "+strconv.Itoa(i), filepath.Join(dir, strconv.Itoa(i), "report.json"))
		}
	}
}
