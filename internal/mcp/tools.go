package mcp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/report/agent"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage"
	"github.com/gotriage/triage/triage/schema"
)

// tools are what the server offers; each takes its arguments and returns its answer.
type tools struct {
	files *files
	book  *triage.RuleBook
}

// inputs are the arguments that most tools have. The tags describe them to the agent.
type inputs struct {
	Paths     []string `json:"paths" jsonschema:"files or folders under the server's folder"`
	Namespace string   `json:"namespace,omitempty" jsonschema:"leave out inputs of other namespaces"`
	Since     string   `json:"since,omitempty" jsonschema:"leave out older lines: RFC 3339, or 1h before the newest"`
}

func (t *tools) read(ctx context.Context, in inputs) (*triage.Report, error) {
	s := selection{paths: in.Paths, namespace: in.Namespace}
	if in.Since != "" {
		var err error
		if s.since, err = time.Parse(time.RFC3339, in.Since); err != nil {
			if s.ago, err = time.ParseDuration(in.Since); err != nil || s.ago <= 0 {
				return nil, fmt.Errorf("since %q is neither a time (2026-03-04T04:47:00Z) nor a duration (90s, 1h)",
					in.Since)
			}
		}
	}
	return t.files.report(ctx, s)
}

func (t *tools) analyze(ctx context.Context, in inputs) (string, error) {
	r, err := t.read(ctx, in)
	if err != nil {
		return "", err
	}
	return agent.Text(r), nil
}

type findingInput struct {
	inputs
	ID string `json:"id" jsonschema:"as analyze prints it: f1"`
}

func (t *tools) finding(ctx context.Context, in findingInput) (string, error) {
	r, err := t.read(ctx, in.inputs)
	if err != nil {
		return "", err
	}
	n, err := strconv.Atoi(strings.TrimPrefix(in.ID, "f"))
	if err != nil || n < 1 || n > len(r.Findings) {
		return "", fmt.Errorf("there is no finding %q: the inputs have %s, and ids begin at f1", in.ID,
			phrase.Count(len(r.Findings), "finding"))
	}
	return agent.Finding(r, n), nil
}

type compareInput struct {
	Before []string `json:"before" jsonschema:"files or folders of the state before"`
	After  []string `json:"after" jsonschema:"files or folders of the state after"`
}

func (t *tools) compare(ctx context.Context, in compareInput) (string, error) {
	before, err := t.files.resolve(in.Before)
	if err != nil {
		return "", fmt.Errorf("before: %w", err)
	}
	after, err := t.files.resolve(in.After)
	if err != nil {
		return "", fmt.Errorf("after: %w", err)
	}
	if err := t.files.lock(ctx); err != nil {
		return "", err
	}
	defer t.files.unlock()
	r, err := triage.Compare(ctx, before, after, triage.Options{
		Version: t.files.o.Version, Book: t.files.o.Book, Limits: t.files.o.Limits,
	})
	if err != nil {
		return "", err
	}
	return agent.Text(r) + changes(r.Diff), nil
}

// maxChanges bounds the groups of goroutines that a comparison lists, and the findings that are gone. Chosen.
const maxChanges = 20

func changes(d *schema.Diff) string {
	var groups, gone []string
	for _, g := range d.Buckets {
		if g.Before != g.After {
			groups = append(groups, fmt.Sprintf("%d -> %d goroutines [%s] in %s (%s:%d)", g.Before, g.After,
				name(g.Wait), name(g.Function), name(g.File), g.Line))
		}
	}
	for _, f := range d.Findings.Gone {
		gone = append(gone, "gone: "+f.Rule+" "+f.Title)
	}
	lines := append(firstOf(groups, "groups that changed"), firstOf(gone, "findings that are gone")...)
	if len(lines) == 0 {
		return ""
	}
	return "CHANGES " + untrusted(lines)
}

// firstOf bounds lines, and says how many are left out.
func firstOf(lines []string, what string) []string {
	if n := len(lines) - maxChanges; n > 0 {
		return append(lines[:maxChanges:maxChanges], fmt.Sprintf("(%d more %s are left out)", n, what))
	}
	return lines
}

type explainInput struct {
	Rule string `json:"rule" jsonschema:"an id (TR101) or a name (busy-wait)"`
}

func (t *tools) explain(_ context.Context, in explainInput) (string, error) {
	book := t.book
	if book == nil {
		loaded, err := triage.LoadRules(nil)
		if err != nil {
			return "", err
		}
		book = &loaded
	}
	i := slices.IndexFunc(book.Rules, func(r *rules.Rule) bool {
		return strings.EqualFold(r.ID, in.Rule) || strings.EqualFold(r.Name, in.Rule)
	})
	if i < 0 {
		return "", errors.New("there is no rule of that id or name")
	}
	var b bytes.Buffer
	err := report.Explain(&b, book.Rules[i], report.TextOptions{Width: 200})
	return b.String(), err
}

type linesInput struct {
	inputs
	Input  string `json:"input" jsonschema:"as answers name it: pods/web.log, bundle.zip!/logs/web.log"`
	Line   int64  `json:"line" jsonschema:"the line in the middle, counted from 1"`
	Around int    `json:"around,omitempty" jsonschema:"lines before and after, 20 by default, 200 at most"`
}

const (
	linesAround    = 20
	maxLinesAround = 200
)

func (t *tools) lines(ctx context.Context, in linesInput) (string, error) {
	r, err := t.read(ctx, in.inputs)
	if err != nil {
		return "", err
	}
	if in.Line < 1 {
		return "", fmt.Errorf("there is no line %d: lines count from 1", in.Line)
	}
	path := ""
	names := report.InputNames(r)
	for i := range r.Inputs {
		if p := r.Inputs[i].Path; p == in.Input || t.files.shown(p) == in.Input || names[p] == in.Input {
			path = p
		}
	}
	if path == "" {
		return "", fmt.Errorf("no input in these paths is named %q", in.Input)
	}
	if in.Around <= 0 {
		in.Around = linesAround
	}
	found, err := triage.ReadLines(ctx, triage.Options{Limits: t.files.o.Limits}, path, in.Line,
		min(in.Around, maxLinesAround))
	if err != nil {
		return "", err
	}
	if len(found) == 0 {
		return "", fmt.Errorf("%q has no line %d", in.Input, in.Line)
	}
	return linesText(found, in.Line), nil
}

// linesText is lines around the middle one: those farthest from it are left out where an answer would be too long.
func linesText(found []schema.ExcerptLine, middle int64) string {
	lines, size := make([]string, len(found)), 0
	for i, l := range found {
		lines[i] = agent.Clean(fmt.Sprintf("%6d  %s", l.Line, l.Text))
		size += len(lines[i]) + 1
	}
	from, to := 0, len(lines)
	for size > maxBlock && to-from > 1 {
		if middle-found[from].Line > found[to-1].Line-middle {
			size -= len(lines[from]) + 1
			from++
		} else {
			to--
			size -= len(lines[to]) + 1
		}
	}
	text := untrusted(lines[from:to])
	if n := len(lines) - (to - from); n > 0 {
		text += fmt.Sprintf("(%d lines farther from line %d are left out)\n", n, middle)
	}
	return text
}
