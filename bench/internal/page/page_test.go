package page

import (
	"os"
	"path/filepath"
	"testing"
)

func TestABlockIsReplacedAndNothingElse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "doc.md")
	const before = "# Title\n\n<!-- a -->\nold\n<!-- end a -->\n\n<!-- b -->\n<!-- end b -->\ntail\n"
	if err := os.WriteFile(path, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time changes nothing
		if err := Put(path, "a", "\nnew\n"); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		want := "# Title\n\n<!-- a -->\n\nnew\n\n<!-- end a -->\n\n<!-- b -->\n<!-- end b -->\ntail\n"
		if err != nil || string(got) != want {
			t.Fatalf("%v, got\n%s", err, got)
		}
	}
	if err := Put(path, "c", "text"); err == nil {
		t.Error("a block that is not in the document was written")
	}
}

func TestFiguresOfTheReadmeAreThoseOfTheDocument(t *testing.T) {
	doc, err := os.ReadFile("../../../docs/performance.md")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	want, err := Readme(doc)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := Get(readme, "speed"); err != nil || got != want {
		t.Errorf("README.md says (%v)\n%s\nwant (cd bench && go run ./block)\n%s", err, got, want)
	}
}
