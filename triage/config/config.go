// Package config reads .triage.yaml: what a team knows of its own programs. The file may be a stranger's, since it is
// found in the working folder: it names no file outside of its own folder, and nothing in it is run.
//
// Load takes the name of a folder or a file and returns a Config; Judge applies it to findings. Begin reading at Load.
package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/disk"
	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/declared"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/triage/schema"
)

// Name is the file's name where nobody gives another one.
const Name = ".triage.yaml"

// Bounds on the file in bytes, on its lists, and on the faults that are reported, each of which reads the file anew.
// Chosen.
const (
	maxFile   = 64 << 10
	maxIgnore = 500
	maxRules  = 100
	maxFaults = 5
)

// A Def is the file as it is written. docs/config.schema.json describes it for editors.
type Def struct {
	Program  []string                  `yaml:"program"` // prefixes of import paths: code that is the program's own
	Ignore   []schema.Exception        `yaml:"ignore"`
	Severity map[string]rules.Severity `yaml:"severity"` // by a rule's id or name
	Roles    map[string]Role           `yaml:"roles"`    // by a role's name
	Rules    []string                  `yaml:"rules"`    // files under the config's folder
}

// A Role is what a Def sets of a role.
type Role struct {
	Usual int `yaml:"usual"` // how many goroutines of it, started by one function, a process usually has
}

// A Config is a file that was read. A nil one knows nothing.
type Config struct {
	Def
	Path  string // as reports name it
	Found bool
	Files []*declared.File // what the files below rules hold

	at    func(node string, err error) error
	today string
}

// Find returns the path of the config in the working folder or in the nearest one above it, up to the home of a
// repository or of the file system, relative to the working folder; "" where there is none.
func Find() string {
	dir, err := os.Getwd()
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	has := func(name string) bool {
		_, err := os.Lstat(filepath.Join(dir, name))
		return err == nil
	}
	for name := Name; err == nil; name = filepath.Join("..", name) {
		if has(Name) {
			return name
		}
		if has(".git") || dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	return ""
}

// Load reads the config at path and the files of rules that it names; found says that nobody named it. Its entries
// expire by now. Wrong keys and values are errors (*declared.LoadError, joined), each with its line.
func Load(name string, found bool, now time.Time) (*Config, error) {
	c := &Config{Path: name, Found: found, today: now.UTC().Format(time.DateOnly)}
	if err := c.load(); err != nil {
		return nil, fmt.Errorf("reading the config: %w", err)
	}
	return c, nil
}

func (c *Config) load() error {
	file, err := c.Path, error(nil)
	if !c.Found { // a link that the user names may lead anywhere
		file, err = filepath.EvalSymlinks(file)
	}
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(filepath.Dir(file))
	if err != nil {
		return err
	}
	defer root.Close()
	data, err := disk.ReadBelow(root, filepath.Base(file), maxFile)
	if err != nil {
		return err
	}
	if c.at, err = declared.Decode(c.Path, data, &c.Def); err != nil {
		return err
	}
	if err := c.check(); err != nil {
		return err
	}
	return c.loadRules(root)
}

// loadRules reads the files below rules.
func (c *Config) loadRules(root *os.Root) error {
	var all faults
	for i, name := range c.Rules {
		data, err := disk.ReadBelow(root, filepath.FromSlash(name), declared.MaxRuleFile)
		if pe, ok := errors.AsType[*fs.PathError](err); ok {
			err = pe.Err
		}
		if err != nil {
			all.add(c, true, fmt.Sprintf("rules[%d]", i), "reading %q under the config's folder: %w", name, err)
			continue
		}
		f, err := declared.Load(filepath.Join(filepath.Dir(c.Path), name), data)
		all, c.Files = append(all, err), append(c.Files, f)
	}
	return errors.Join(all...)
}

// faults are what is wrong with a config.
type faults []error

// add adds a fault of a field where that is bad.
func (all *faults) add(c *Config, bad bool, field, format string, args ...any) {
	if bad && len(*all) < maxFaults {
		*all = append(*all, c.at("$", match.Fault(field, format, args...)))
	}
}

// check reports what is wrong with the file's values, besides names of rules and roles.
func (c *Config) check() error {
	var all faults
	for i, p := range c.Program {
		bad := strings.Trim(p, "/") != p || p == "" || strings.ContainsAny(p, " \t\n*\\")
		all.add(c, bad, fmt.Sprintf("program[%d]", i), "%q is not an import path such as acme.example/shop", p)
	}
	for i := range c.Ignore {
		e, at := &c.Ignore[i], fmt.Sprintf("ignore[%d].", i)
		all.add(c, e.Rule == "", at+"rule", "missing: the id or name of a rule")
		all.add(c, strings.TrimSpace(e.Reason) == "", at+"reason", "missing: why the finding is not a fault here")
		_, err := time.Parse(time.DateOnly, e.Until)
		all.add(c, err != nil, at+"until", "%q is not a date such as 2026-12-31, the last day to ignore the finding",
			e.Until)
		_, err = path.Match(e.Pod, "")
		all.add(c, err != nil, at+"pod", "%w", err)
		_, err = path.Match(e.Namespace, "")
		all.add(c, err != nil, at+"namespace", "%w", err)
		err = symbol.CheckPattern(cmp.Or(e.Culprit, "**"))
		all.add(c, err != nil && e.Culprit != "", at+"culprit", "%w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Severity)) {
		all.add(c, c.Severity[name].Rank() < 0, "severity."+name,
			"unknown severity %q; the severities are critical, high, medium, low, info", c.Severity[name])
	}
	for _, name := range slices.Sorted(maps.Keys(c.Roles)) {
		all.add(c, c.Roles[name].Usual < 1, "roles."+name, "usual is a number of goroutines, at least 1")
	}
	all.add(c, len(c.Ignore) > maxIgnore, "ignore", "%d entries, at most %d are allowed", len(c.Ignore), maxIgnore)
	all.add(c, len(c.Rules) > maxRules, "rules", "%d files, at most %d are allowed", len(c.Rules), maxRules)
	return errors.Join(all...)
}

// Adjust gives roles the usual counts of the config. The error lists the rules and roles that the config names and
// that are not among these.
func (c *Config) Adjust(set []*rules.Rule, roles []match.RoleDef) error {
	if c == nil {
		return nil
	}
	var all faults
	rule := func(field, name string) {
		known := slices.ContainsFunc(set, func(r *rules.Rule) bool { return name == r.ID || name == r.Name })
		all.add(c, !known, field, "no rule has the id or name %q", name)
	}
	for i := range c.Ignore {
		rule(fmt.Sprintf("ignore[%d].rule", i), c.Ignore[i].Rule)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Severity)) {
		rule("severity."+name, name)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Roles)) {
		i := slices.IndexFunc(roles, func(r match.RoleDef) bool { return r.Name == name })
		all.add(c, i < 0, "roles."+name, "no role has the name %q", name)
		if i >= 0 {
			roles[i].Usual = c.Roles[name].Usual
		}
	}
	return errors.Join(all...)
}

// Own are the import paths of code that is the program's own.
func (c *Config) Own() []string {
	if c == nil {
		return nil
	}
	return c.Program
}

// Report is what a report says of the config, nil without one.
func (c *Config) Report() *schema.Config {
	if c == nil {
		return nil
	}
	out := &schema.Config{Path: filepath.ToSlash(c.Path), Found: c.Found, Expired: []schema.Exception{}}
	for _, e := range c.Ignore {
		if c.expired(&e) {
			out.Expired = append(out.Expired, e)
		}
	}
	return out
}

func (c *Config) expired(e *schema.Exception) bool { return e.Until < c.today }

// Judge gives findings the severities of the config, and parts those that it ignores from the others.
func (c *Config) Judge(found []rules.Finding) (kept []rules.Finding, ignored []schema.Ignored) {
	if c == nil {
		return found, nil
	}
	kept = make([]rules.Finding, 0, len(found))
	for i := range found {
		f := found[i]
		if s := cmp.Or(c.Severity[f.Rule], c.Severity[f.Name], f.Severity); s != f.Severity {
			f.Notes = append(slices.Clip(f.Notes), fmt.Sprintf("%s sets the severity; the rule gives %s.",
				filepath.ToSlash(c.Path), f.Severity))
			f.Severity = s
		}
		k := slices.IndexFunc(c.Ignore, func(e schema.Exception) bool { return !c.expired(&e) && covers(&e, &f) })
		if k < 0 {
			kept = append(kept, f)
		} else {
			ignored = append(ignored, schema.Ignored{By: c.Ignore[k], Finding: f})
		}
	}
	return kept, ignored
}

// covers reports whether all that shows a finding is what an entry is about: what nothing names is not.
func covers(e *schema.Exception, f *rules.Finding) bool {
	if e.Rule != f.Rule && e.Rule != f.Name {
		return false
	}
	if e.Culprit != "" {
		p := symbol.NewPatterns(1)
		if _, err := p.Add(e.Culprit); err != nil || len(p.Finder().Append(nil, f.Culprit.Function)) == 0 {
			return false
		}
	}
	if e.Pod == "" && e.Namespace == "" {
		return true
	}
	pods := f.Pods
	if o := f.Object; len(pods) == 0 && o != nil {
		pods = []rules.PodCount{{Namespace: o.Namespace}}
		if o.Kind == "Pod" {
			pods[0].Pod = o.Name
		}
	}
	return len(pods) > 0 && len(pods) >= f.PodsTotal && !slices.ContainsFunc(pods, func(p rules.PodCount) bool {
		return !fits(e.Pod, p.Pod) || !fits(e.Namespace, p.Namespace)
	})
}

// fits reports whether a name fits a glob; all do where there is none.
func fits(glob, name string) bool {
	ok, err := path.Match(glob, name)
	return glob == "" || ok && err == nil && name != ""
}
