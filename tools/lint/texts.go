package main

import (
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"strings"
)

// avoidedInTexts are what users read otherwise: "in 85% of them".
const avoidedInTexts = avoided + `|\b[0-9]+\s%`

// fence begins or ends a block of code in Markdown.
var fence = regexp.MustCompile("^ *```")

// text checks the words of a Markdown or YAML file. Blocks of code in Markdown show what programs print, and are left
// alone.
func (l *linter) text(path, text string) error {
	lines := strings.Split(text, "\n")
	if strings.HasSuffix(path, ".md") {
		fenced := false
		for i, line := range lines {
			edge := fence.MatchString(line)
			if fenced = fenced != edge; fenced || edge {
				lines[i] = ""
			}
		}
	}
	avoid(l.inTexts, strings.Join(lines, "\n"), func(line int, word string) {
		l.problems = append(l.problems, problem{path, line, "word", "avoid " + strconv.Quote(word)})
	})
	return nil
}

// sentences reports the words to avoid in the strings of Go code that hold a space.
func (l *linter) sentences(fset *token.FileSet, f *ast.File, report func(line int, word string)) {
	ast.Inspect(f, func(n ast.Node) bool {
		lit, ok := n.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING || !strings.Contains(lit.Value, " ") {
			return true
		}
		text, err := strconv.Unquote(lit.Value)
		if err != nil || strings.Contains(text, `\b`) { // an expression, such as that of this list
			return true
		}
		first := fset.Position(lit.Pos()).Line
		avoid(l.inTexts, text, func(line int, word string) { report(first+line-1, word) })
		return true
	})
}

// avoid reports the words of a text to avoid, with their line in it, from 1.
func avoid(words *regexp.Regexp, text string, report func(line int, word string)) {
	for _, at := range words.FindAllStringSubmatchIndex(text, -1) {
		if at[2] >= 0 { // the first group: what is fine
			continue
		}
		word := strings.Join(strings.Fields(text[at[0]:at[1]]), " ")
		report(1+strings.Count(text[:at[0]], "\n"), word)
	}
}
