package declared

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/expr-lang/expr/file"
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/parser"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/match"
)

// MaxRuleFile bounds a file of declarative rules, in bytes: the built-in ones have under 200 KiB together.
const MaxRuleFile = 1 << 20

// A File is what a YAML file of rules or roles holds.
type File struct {
	Rules []*rules.Rule
	Roles []match.RoleDef
	// Fixtures are globs below the file's folder: fixtures besides those that lie beside the file.
	Fixtures []string
	asks     []*declared // of Rules, those that are not about profiles
	src      *ruleFile
	def      *fileDef
}

// fileDef is a File as it is written.
type fileDef struct {
	Rules []RuleDef       `yaml:"rules"`
	Roles []match.RoleDef `yaml:"roles"`
	// Fixtures are globs below the file's folder, for `triage rules test`.
	Fixtures []string `yaml:"fixtures"`
}

// A LoadError is a fault in a rule file: Error prints "FILE:LINE:COLUMN: message" and the line with a caret below.
type LoadError struct {
	File         string
	Line, Column int // 1-based, 0 where unknown
	Message      string
	Source       string // the line
	Err          error
}

func (e *LoadError) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Message
	}
	head := fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
	if e.Source == "" {
		return head
	}
	num := strconv.Itoa(e.Line)
	margin, indent := strings.Repeat(" ", len(num)), strings.Repeat(" ", max(e.Column-1, 0))
	return fmt.Sprintf("%s\n  %s | %s\n  %s | %s^", head, num, e.Source, margin, indent)
}

func (e *LoadError) Unwrap() error { return e.Err }

// decode is dec.Decode, whose panics over odd files (a tag where a list should be, go-yaml 1.19.2) become errors: rule
// files come from anywhere.
func decode(dec *yaml.Decoder, into any) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("not YAML that can be read: %v", p)
		}
	}()
	return dec.Decode(into)
}

// Load reads declarative rules and roles from YAML; name is for messages. Unknown fields, unknown values, patterns
// and conditions that can't be used are errors (*LoadError, joined), each with its line. Nothing in the file is
// opened or run: conditions see one bucket and nothing else. Ids TRnnn are errors: they are triage's own, and one
// that is free today may not be tomorrow.
func Load(name string, data []byte) (*File, error) {
	if len(data) > MaxRuleFile {
		msg := fmt.Sprintf("%d bytes, at most %d are allowed", len(data), MaxRuleFile)
		return nil, &LoadError{File: name, Message: msg}
	}
	src := ruleFile{name: name, data: data}
	def, err := src.read()
	if err != nil {
		return nil, err
	}
	return src.build(def, false)
}

// Decode reads a YAML file of one document strictly into a value; an empty one leaves it as it is. The error is a
// *LoadError. at turns a fault below a node ("$.ignore[0]"), such as a match.FieldError, into one.
func Decode(name string, data []byte, into any) (at func(node string, err error) error, err error) {
	f := &ruleFile{name: name, data: data}
	dec := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict())
	if err := decode(dec, into); err != nil && !errors.Is(err, io.EOF) {
		return nil, f.yamlError(err)
	}
	if err := decode(dec, new(fileDef)); !errors.Is(err, io.EOF) {
		return nil, &LoadError{File: name, Message: "the file has several documents: put everything into one"}
	}
	return f.at, nil
}

// read reads the file's YAML.
func (f *ruleFile) read() (*fileDef, error) {
	var def fileDef
	if _, err := Decode(f.name, f.data, &def); err != nil {
		return nil, err
	}
	if len(def.Rules) == 0 && len(def.Roles) == 0 {
		return nil, &LoadError{File: f.name, Message: "the file has no rules: expected a list under `rules:` or " +
			"`roles:`"}
	}
	return &def, nil
}

// build makes rules and roles of what was read; ids TRnnn are for built-in files.
func (f *ruleFile) build(def *fileDef, builtin bool) (*File, error) {
	out := &File{Roles: def.Roles, Fixtures: def.Fixtures, src: f, def: def}
	var faults []error
	m := match.NewPatterns()
	seen := map[string]bool{}
	for i := range def.Rules {
		at := fmt.Sprintf("$.rules[%d]", i)
		r, c, err := compileRule(&def.Rules[i])
		switch {
		case err != nil:
		case !builtin && strings.HasPrefix(r.ID, "TR"):
			err = match.Fault("id", "ids that begin with TR are reserved for triage: choose your own prefix")
		case seen[r.ID] || seen[r.Name]:
			err = match.Fault("id", "a second rule %s (%s)", r.ID, r.Name)
		}
		if err != nil {
			faults = append(faults, f.at(at, err))
			continue
		}
		seen[r.ID], seen[r.Name] = true, true
		if out.Rules = append(out.Rules, r); c != nil {
			out.asks = append(out.asks, c)
		}
	}
	for i := range def.Roles {
		if err := checkRole(m, &def.Roles[i], seen); err != nil {
			faults = append(faults, f.at(fmt.Sprintf("$.roles[%d]", i), err))
		}
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	return out, nil
}

func checkRole(m *match.Patterns, def *match.RoleDef, seen map[string]bool) error {
	switch {
	case !rules.IsKebab(def.Name):
		return match.Fault("name", "%q is not a kebab-case name", def.Name)
	case seen["role "+def.Name]:
		return match.Fault("name", "a second role %q: put its stacks under the first one's match", def.Name)
	case def.Doc == "" || len(def.Doc) > 100 || strings.HasSuffix(def.Doc, "."):
		return match.Fault("doc", "a role's doc must be one line of at most 100 characters without a full stop")
	case def.Ceiling < 0:
		return match.Fault("ceiling", "%d is not a ceiling: it must be a number of goroutines; the default is "+
			"1,000", def.Ceiling)
	case def.Usual < 0:
		return match.Fault("usual", "%d is not a number of goroutines; the default is 100", def.Usual)
	}
	seen["role "+def.Name] = true
	_, err := m.CompileRole(def)
	return err
}

// A ruleFile is a rule file's text, for pointing at its lines.
type ruleFile struct {
	name string
	data []byte
}

// yamlError turns an error of the YAML library into one that points.
func (f *ruleFile) yamlError(err error) error {
	le := &LoadError{File: f.name, Message: err.Error(), Err: err}
	if ye, ok := errors.AsType[yaml.Error](err); ok {
		le.Message = ye.GetMessage()
		if t := ye.GetToken(); t != nil && t.Position != nil {
			le.Line, le.Column = t.Position.Line, t.Position.Column
			le.Source = f.line(le.Line)
		}
	}
	return le
}

// at turns a fault below a node of the file into an error that points at the field's value, or, where the field is
// missing from the file, at its nearest parent.
func (f *ruleFile) at(node string, err error) error {
	le := &LoadError{File: f.name, Message: err.Error(), Err: err}
	field := ""
	if fe, ok := errors.AsType[*match.FieldError](err); ok {
		field = "." + fe.Field
	}
	tree, perr := parser.ParseBytes(f.data, 0)
	if perr != nil {
		return le
	}
	for {
		if p, perr := yaml.PathString(node + field); perr == nil {
			if n, perr := p.FilterFile(tree); perr == nil && n != nil && n.GetToken() != nil {
				pos := n.GetToken().Position
				le.Line, le.Column = pos.Line, pos.Column
				break
			}
		}
		if field == "" {
			return le
		}
		field = field[:max(strings.LastIndexAny(field, ".["), 0)]
	}
	f.intoCondition(le, err)
	le.Source = f.line(le.Line)
	return le
}

// intoCondition moves the place from the start of a one-line `when:` to where the condition breaks.
func (f *ruleFile) intoCondition(le *LoadError, err error) {
	fe, ok := errors.AsType[*file.Error](err)
	if !ok || fe.Line != 1 {
		return
	}
	line := f.line(le.Line)
	if le.Column-1 >= len(line) {
		return
	}
	col := le.Column
	if c := line[le.Column-1]; c == '"' || c == '\'' {
		col++
	} else if c == '|' || c == '>' {
		return
	}
	if col+fe.Column-1 <= len(line) {
		le.Column = col + fe.Column
	}
}

// line returns a line without tabs, which would shift the caret.
func (f *ruleFile) line(n int) string {
	lines := bytes.Split(f.data, []byte("\n"))
	if n < 1 || n > len(lines) {
		return ""
	}
	return strings.ReplaceAll(strings.TrimRight(string(lines[n-1]), "\r"), "\t", " ")
}
