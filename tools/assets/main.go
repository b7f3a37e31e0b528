// Command assets bundles and minifies the script and the style of the HTML report:
//
//	cd tools && go run ./assets ..          # writes report/page/page.min.js and page.min.css
//	cd tools && go run ./assets -check ..   # fails where they are older than their sources
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	check := flag.Bool("check", false, "write nothing, fail where a file would change")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: assets [-check] FOLDER")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *check); err != nil {
		fmt.Fprintln(os.Stderr, "assets:", err)
		os.Exit(1)
	}
}

// run builds the assets of the project in root.
func run(root string, check bool) error {
	dir := filepath.Join(root, "report", "page")
	for _, a := range []struct{ source, built string }{
		{"src/main.js", "page.min.js"}, {"src/page.css", "page.min.css"},
	} {
		text, err := build(filepath.Join(dir, a.source))
		if err != nil {
			return err
		}
		path := filepath.Join(dir, a.built)
		old, err := os.ReadFile(path)
		if err == nil && bytes.Equal(old, text) {
			continue
		}
		if check {
			return fmt.Errorf("%s is older than %s: make assets", path, a.source)
		}
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// build returns a source with all that it imports, minified. A closing tag in it would end the element that holds it.
func build(source string) ([]byte, error) {
	abs, err := filepath.Abs(source)
	if err != nil {
		return nil, err
	}
	result := api.Build(api.BuildOptions{
		EntryPoints: []string{abs}, Bundle: true, MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
		Format: api.FormatIIFE, Target: api.ES2020, Charset: api.CharsetASCII,
		Supported: map[string]bool{"inline-script": false}, LogLevel: api.LogLevelWarning,
	})
	if len(result.Errors) > 0 {
		return nil, fmt.Errorf("%s: %s", source, result.Errors[0].Text)
	}
	text := bytes.TrimSpace(result.OutputFiles[0].Contents)
	if strings.Contains(strings.ToLower(string(text)), "</script") ||
		strings.Contains(strings.ToLower(string(text)), "</style") {
		return nil, fmt.Errorf("%s: the text would end its element", source)
	}
	return text, nil
}
