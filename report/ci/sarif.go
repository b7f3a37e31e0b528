package ci

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// An object is one of SARIF (OASIS, Static Analysis Results Interchange Format 2.1.0).
type object map[string]any

// SARIF writes r's findings as SARIF 2.1.0 for code scanning: alarms as errors, or as warnings where they are medium,
// the others as notes. A finding lies in the repository's file where that is known, else in the input's line that shows
// it, because GitHub takes no result without a file. What the team's config ignores is there too, suppressed for its
// reason, so that its alert can be shown as closed instead of being lost. r is not changed.
func SARIF(w io.Writer, r *schema.Report, o Options) error {
	index, described, results := map[string]int{}, []object{}, []object{}
	add := func(f *rules.Finding) object {
		if _, known := index[f.Rule]; !known { // findings come the worst first
			index[f.Rule] = len(described)
			described = append(described, o.rule(f))
		}
		result := object{
			"ruleId": report.Escape(f.Rule), "ruleIndex": index[f.Rule], "level": level(f), "message": message(text(f)),
			"locations":           []object{o.location(f)},
			"partialFingerprints": object{"triage/v1": report.Escape(f.Fingerprint)},
			"properties":          object{"severity": f.Severity, "confidence": f.Confidence},
		}
		results = append(results, result)
		return result
	}
	for _, each := range r.Found() {
		result := add(&each)
		if len(r.Ignored) > 0 { // all results of a run have suppressions, or none has (section 3.27.23)
			result["suppressions"] = []object{}
		}
	}
	for i := range r.Ignored {
		add(&r.Ignored[i].Finding)["suppressions"] = []object{suppression(&r.Ignored[i].By)}
	}
	driver := object{
		"name": "triage", "version": cmp.Or(r.Tool.Version, "unknown"), "rules": described,
		"informationUri": "https://github.com/gotriage/triage",
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	err := e.Encode(object{
		"$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		"version": "2.1.0", "runs": []object{{"tool": object{"driver": driver}, "results": results}},
	})
	if err != nil {
		return fmt.Errorf("writing SARIF: %w", err)
	}
	return nil
}

// suppression is why a finding is ignored, outside the source code (section 3.35).
func suppression(by *schema.Exception) object {
	reason := report.Escape(by.Reason)
	if by.Until != "" {
		reason += " (until " + report.Escape(by.Until) + ")"
	}
	return object{"kind": "external", "status": "accepted", "justification": reason}
}

func level(f *rules.Finding) string {
	switch {
	case !f.Alarm():
		return "note"
	case f.Severity == rules.Medium:
		return "warning"
	}
	return "error"
}

// message is a text in which no "[words](address)" is a link (section 3.11.6).
func message(s string) object {
	return object{"text": strings.ReplaceAll(strings.TrimSpace(s), "](", "] (")}
}

// rule describes a finding's rule, in the finding's words where there is no documentation.
func (o Options) rule(f *rules.Finding) object {
	var doc rules.Doc
	if o.Doc != nil {
		doc = o.Doc(f.Rule)
	}
	help := cmp.Or(doc.Fix, report.Escape(cmp.Or(f.Fix, f.Title)))
	if doc.FalsePositives != "" {
		help += "\n\nFalse positives: " + doc.FalsePositives
	}
	rule := object{
		"id": report.Escape(f.Rule), "name": report.Escape(f.Name),
		"shortDescription": message(cmp.Or(doc.Title, report.Escape(f.Name))), "help": message(help),
		"fullDescription":      message(cmp.Or(doc.Why, report.Escape(f.Name))),
		"defaultConfiguration": object{"level": level(f)}, "properties": object{"tags": []any{f.Category}},
	}
	if i := slices.IndexFunc(doc.Refs, func(s string) bool { return strings.HasPrefix(s, "https://") }); i >= 0 {
		rule["helpUri"] = doc.Refs[i]
	}
	return rule
}

// location is where a finding is: in the repository, or in an input.
func (o Options) location(f *rules.Finding) object {
	name, artifact := cmp.Or(f.Culprit.Function, f.Name), object{"uriBaseId": "%SRCROOT%"}
	if f.Object != nil {
		name = f.Object.Text()
	}
	location := object{"logicalLocations": []object{{"fullyQualifiedName": report.Escape(name)}}}
	file, line := o.fileOf(f)
	if file == "" && len(f.Evidence) > 0 {
		artifact, line = object{}, int(f.Evidence[0].Line)
		if file = filepath.ToSlash(f.Evidence[0].Input); file == "-" {
			file = "stdin"
		}
	}
	artifact["uri"] = (&url.URL{Path: report.Escape(file)}).String()
	physical := object{"artifactLocation": artifact}
	if line > 0 {
		physical["region"] = object{"startLine": line}
	}
	location["physicalLocation"] = physical
	return location
}
