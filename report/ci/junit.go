package ci

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// JUnit's elements, as Jenkins, GitLab and GitHub's actions read them.
type (
	junitSuites struct {
		XMLName xml.Name `xml:"testsuites"`
		Name    string   `xml:"name,attr"`
		junitCounts
		Suites []*junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name string `xml:"name,attr"`
		junitCounts
		Cases []junitCase `xml:"testcase"`
	}
	junitCounts struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
	}
	junitCase struct {
		Class   string       `xml:"classname,attr"`
		Name    string       `xml:"name,attr"`
		File    string       `xml:"file,attr,omitempty"`
		Line    int          `xml:"line,attr,omitempty"`
		Failure *junitReason `xml:"failure"`
		Error   *junitReason `xml:"error"`
		Skipped *junitReason `xml:"skipped"`
		Out     string       `xml:"system-out,omitempty"`
	}
	junitReason struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// JUnit writes r as JUnit XML: a suite for each input, a case for each finding in the suite of the input that shows it
// first. An alarm is a failure, a doubtful finding is skipped. An input without findings has one case: it passes where
// rules looked at something, it is skipped where there was nothing to look at, and one that the user named and that
// could not be read is an error. One whose findings are in another's suite is skipped. r is not changed.
func JUnit(w io.Writer, r *schema.Report, o Options) error {
	all, index, elsewhere := junitSuites{Name: "triage"}, map[string]*junitSuite{}, map[*junitSuite]string{}
	suite := func(name string) *junitSuite {
		if index[name] == nil {
			index[name] = &junitSuite{Name: report.Escape(name)}
			all.Suites = append(all.Suites, index[name])
		}
		return index[name]
	}
	for _, in := range r.Inputs {
		suite(in.Path)
	}
	for _, each := range r.Found() {
		f, input := &each, "triage"
		if len(f.Evidence) > 0 {
			input = f.Evidence[0].Input
		}
		all.add(suite(input), o.testcase(f))
		for _, also := range f.Sources {
			elsewhere[index[also]] = input // nil for what is no input of this report
		}
	}
	for _, s := range r.Skipped {
		c := junitCase{Class: "triage", Name: "read", Skipped: &junitReason{Message: report.Escape(s.Reason)}}
		if s.Named {
			c.Error, c.Skipped = c.Skipped, nil
		}
		all.add(suite(s.Path), c)
	}
	for _, s := range all.Suites {
		if len(s.Cases) > 0 {
			continue
		}
		c := junitCase{Class: "triage", Name: fmt.Sprintf("no finding by %d rules", r.Rules.Checked)}
		switch input, ok := elsewhere[s]; {
		case ok:
			c.Name, c.Skipped = "read", &junitReason{Message: "its findings are in " + report.Escape(input)}
		case !r.Recognised():
			c.Name, c.Skipped = "read", &junitReason{Message: "it contains nothing that a rule could look at"}
		}
		all.add(s, c)
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err == nil {
		_, err = io.WriteString(w, xml.Header+string(text)+"\n")
	}
	if err != nil {
		return fmt.Errorf("writing JUnit XML: %w", err)
	}
	return nil
}

// add adds a case to a suite, and to the counts of both.
func (all *junitSuites) add(s *junitSuite, c junitCase) {
	s.Cases = append(s.Cases, c)
	for _, n := range []*junitCounts{&all.junitCounts, &s.junitCounts} {
		n.Tests++
		switch {
		case c.Failure != nil:
			n.Failures++
		case c.Error != nil:
			n.Errors++
		case c.Skipped != nil:
			n.Skipped++
		}
	}
}

// testcase is a finding: its name is what a page lists.
func (o Options) testcase(f *rules.Finding) junitCase {
	file, line := o.fileOf(f)
	c := junitCase{
		Class: report.Escape(strings.TrimSpace(f.Rule + " " + f.Name)), Name: report.Escape(f.Title),
		File: report.Escape(cmp.Or(file, f.Culprit.File)), Line: line,
	}
	if f.Alarm() {
		c.Failure = &junitReason{report.Escape(cmp.Or(f.Why, f.Title)), text(f)}
		return c
	}
	reason := cmp.Or(strings.Join(f.Against, " "), fmt.Sprintf("severity %s, confidence %s", f.Severity, f.Confidence))
	c.Skipped, c.Out = &junitReason{Message: report.Escape(reason)}, text(f)
	return c
}
