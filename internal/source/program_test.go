package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/gocode"
)

func TestTheProgramIsWhatFramesAreInAndWhatThatImportsFromTheCheckout(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":              "module example.org/shop\n",
		"cmd/shopd/main.go":   "package main\n\nimport \"example.org/shop/places\"\n\nfunc main() {\n\tplaces.Run()\n}\n",
		"cmd/other/main.go":   "package main\n\nfunc main() {}\n",
		"places/places.go":    "package places\n\nimport (\n\t\"net/http\"\n\t\"example.org/shop/maps\"\n)\n\nfunc Run() { maps.Draw(http.Get) }\n",
		"places/x_test.go":    "package places\n\nimport \"example.org/shop/fakes\"\n\nvar x = fakes.X\n",
		"maps/maps.go":        "package maps\n\nfunc Draw(any) {}\n",
		"fakes/fakes.go":      "package fakes\n\nvar X = 1\n",
		"vendor/m.org/m/m.go": "package m\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := Open([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	for _, c := range []struct {
		name string
		line int
		want string
	}{
		{"a frame fits", 6, "main /build/shop/cmd/shopd/, example.org/shop/places /build/shop/places/, " +
			"example.org/shop/maps /build/shop/maps/"},
		{"the line is not what was built", 5, ""},
	} {
		packages := tree.Packages()
		packages.Doubt([]gocode.Frame{{Func: "main.main", File: "/build/shop/cmd/shopd/main.go", Line: c.line,
			Callee: "example.org/shop/places.Run"}}, nil)
		var got []string
		for _, u := range packages.Program() {
			got = append(got, u.Path+" "+u.Dir)
		}
		if text := strings.Join(got, ", "); text != c.want {
			t.Errorf("%s: %s\nwant %s", c.name, text, c.want)
		}
	}
}
