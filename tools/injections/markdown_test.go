package injections

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// ours is the HTML that a report writes itself, and labels are what it sets in bold.
var (
	ours   = regexp.MustCompile(`^(?:<details><summary>[A-Z][a-z, ]+</summary>|</details>)\s*$`)
	labels = regexp.MustCompile(`^(?:CRITICAL|HIGH|MEDIUM|LOW|INFO|LOOK AT|Code|Why|But|For|Fix|Next)$`)
)

// acts is what GitHub turns into a link, a mention or a picture behind the renderer, in text outside of code: names of
// users and teams, numbers of issues, commits, short names of pictures.
var acts = regexp.MustCompile(`@\w|#\d|://|(?i:\bGH-\d|www\.|mailto:|xmpp:|:[a-z0-9_+-]*[a-z_+][a-z0-9_+-]*:)`)

// A node is one of a renderer's tree: its kind and its own text.
type node struct{ kind, text string }

// allowed fails for a node that a report has no use for: texts of the inputs may not make one.
func allowed(t testing.TB, renderer string, n node) {
	t.Helper()
	switch n.kind {
	case "document", "paragraph", "linebreak", "softbreak", "code", "heading 3":
	case "text":
		if m := acts.FindString(n.text); m != "" {
			t.Errorf("%s: %q acts on GitHub, in %.200q", renderer, m, n.text)
		}
	case "strong":
		if !labels.MatchString(n.text) {
			t.Errorf("%s: bold: %.200q", renderer, n.text)
		}
	case "html":
		if !ours.MatchString(n.text) {
			t.Errorf("%s: HTML: %.200q", renderer, n.text)
		}
	case "code block text", "code block sh":
	default:
		t.Errorf("%s: a %s: %.200q", renderer, n.kind, n.text)
	}
}

// byGoldmark are the nodes of a document as goldmark reads it.
func byGoldmark(t testing.TB, source []byte) (nodes []node) {
	t.Helper()
	gfm := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList))
	err := ast.Walk(gfm.Parser().Parse(text.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Document:
			nodes = append(nodes, node{"document", ""})
		case *ast.Paragraph, *ast.TextBlock:
			nodes = append(nodes, node{"paragraph", ""})
		case *ast.Text:
			nodes = append(nodes, node{"text", string(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(n.Value(source)))))})
		case *ast.String:
			nodes = append(nodes, node{"text", string(n.Value)})
		case *ast.CodeSpan:
			nodes = append(nodes, node{"code", ""})
			return ast.WalkSkipChildren, nil
		case *ast.Heading:
			nodes = append(nodes, node{"heading " + strconv.Itoa(n.Level), string(n.Lines().Value(source))})
		case *ast.FencedCodeBlock:
			nodes = append(nodes, node{"code block " + string(n.Language(source)), ""})
		case *ast.HTMLBlock:
			nodes = append(nodes, node{"html", string(n.Lines().Value(source))})
		case *ast.Emphasis:
			var b strings.Builder
			for c := n.FirstChild(); c != nil; c = c.NextSibling() {
				if t, ok := c.(*ast.Text); ok {
					b.Write(t.Value(source))
				}
			}
			kind := "emphasis"
			if n.Level == 2 {
				kind = "strong"
			}
			nodes = append(nodes, node{kind, b.String()})
			return ast.WalkSkipChildren, nil
		default:
			nodes = append(nodes, node{n.Kind().String(), ""})
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return nodes
}

// byGitHub are the nodes as the renderer of GitHub reads them, nil where it is not installed.
func byGitHub(t testing.TB, source []byte) (nodes []node) {
	t.Helper()
	path, err := exec.LookPath("cmark-gfm")
	if err != nil {
		return nil
	}
	cmd := exec.Command(path, "-t", "xml", "--unsafe", "-e", "table", "-e", "autolink", "-e", "strikethrough",
		"-e", "tasklist", "-e", "footnotes")
	cmd.Stdin = bytes.NewReader(source)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	d := xml.NewDecoder(bytes.NewReader(out))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nodes
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			kind := xmlKind(token)
			if n := len(nodes); kind != "text" || n == 0 || nodes[n-1] != (node{"strong", ""}) {
				nodes = append(nodes, node{kind, ""})
			}
		case xml.CharData:
			if strings.TrimSpace(string(token)) != "" {
				nodes[len(nodes)-1].text += string(token)
			}
		}
	}
}

// xmlKind is the kind of an element of cmark's XML.
func xmlKind(e xml.StartElement) string {
	attribute := func(name string) string {
		i := slices.IndexFunc(e.Attr, func(a xml.Attr) bool { return a.Name.Local == name })
		if i < 0 {
			return ""
		}
		return e.Attr[i].Value
	}
	switch kind := e.Name.Local; kind {
	case "html_block":
		return "html"
	case "heading":
		return "heading " + attribute("level")
	case "code_block":
		return "code block " + attribute("info")
	default:
		return kind
	}
}

func TestNoMarkdownOfAStrangerIsMarkup(t *testing.T) {
	eachText(t, everyKind, func(t *testing.T, s stranger) {
		inputs := []string{s.dir}
		if s.kind == "markdown" {
			inputs = append(inputs, s.entries(t)...)
		}
		for _, in := range inputs {
			source, _ := triage(t, "-o", "markdown", in)
			for renderer, nodes := range map[string][]node{
				"goldmark": byGoldmark(t, source), "cmark-gfm": byGitHub(t, source),
			} {
				headings := 0
				for _, n := range nodes {
					allowed(t, renderer, n)
					if strings.HasPrefix(n.kind, "heading") {
						headings++
					}
				}
				if len(nodes) > 0 && headings != 1 {
					t.Errorf("%s: %d headings", renderer, headings)
				}
			}
		}
	})
}
