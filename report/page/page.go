// Package page renders a triage.Report as one self-contained HTML file. It opens from a file:// URL without a network;
// every sentence is there without JavaScript, which only draws flame graphs, sorts, filters and copies.
//
// Everything in a report may come from a hostile log: html/template escapes it for its place, report.Escape shows what
// a browser would act on (bidi marks, invisible characters), and the page's Content-Security-Policy allows its own
// script and style by their hashes and nothing else: no request, no other script, no form.
//
// The report itself lies in the page, as package schema's block: triage reads the page as an input.
package page

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"sync"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/triage/schema"
)

// Options change what a page shows.
type Options struct {
	// Redacted means that --redact replaced them.
	Redacted bool
}

//go:embed page.html
var pageText string

// What tools/assets builds from src: a test fails where they are older than their sources.
var (
	//go:embed page.min.css
	styleText string
	//go:embed page.min.js
	scriptText string
)

var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(functions()).Parse(pageText))
})

// Write writes r as a page. r is not changed. The error is the writer's.
func Write(w io.Writer, r *schema.Report, o Options) error {
	var text bytes.Buffer
	if err := report.JSON(&text, r); err != nil {
		return err
	}
	drawings, err := json.Marshal(flames(r))
	if err != nil {
		return fmt.Errorf("writing the drawings: %w", err)
	}
	m := newModel(r, o)
	m.CSP = "default-src 'none'; script-src 'sha256-" + digest(scriptText) + "'; style-src 'sha256-" +
		digest(styleText) + "'; img-src data:; base-uri 'none'; form-action 'none'"
	m.Style = template.HTML("<style>" + styleText + "</style>")
	m.Script = template.HTML("<script>" + scriptText + "</script>")
	for _, block := range []struct {
		to   *template.HTML
		id   string
		data []byte
	}{{&m.Report, schema.ReportBlock, text.Bytes()}, {&m.Drawings, schema.DrawingsBlock, drawings}} {
		b, err := schema.Block(block.id, block.data)
		if err != nil {
			return err
		}
		*block.to = template.HTML(b) // its text is base64
	}
	if err := pageTemplate().Execute(w, m); err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}

// digest is a source's hash as a Content-Security-Policy has it.
func digest(source string) string {
	sum := sha256.Sum256([]byte(source))
	return base64.StdEncoding.EncodeToString(sum[:])
}
