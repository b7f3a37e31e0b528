package captures

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/goccy/go-yaml"
)

// A Case is what is known about the captures of a program, or about a file: its label. testdata/README.md describes the
// keys. Lists of cases are in YAML, a case in a folder of its own is a case.json.
type Case struct {
	Name, Program, Kind, Form, Module string
	Inputs, Words, Headline           []string
	RootCause                         Place `json:"root_cause"`
	Acceptable                        []Place
	MinSeverity                       string `json:"min_severity"`
	Forms                             Forms
	Details                           []Detail
	MustNotFlag                       []string `json:"must_not_flag"`
	MustNotSay                        []string `json:"must_not_say"`

	// Why, Note and About are for people, and for the programs that make the captures.
	Why, Note string
	About     map[string]string

	// Dir is the folder of the case's label.
	Dir string `json:"-"`
}

// A Place is where something is wrong, and of which categories it is. What is empty is not compared; one of object,
// client, function, package and file is, the first in this order that is there.
type Place struct {
	Category, Function, Object, Client, Line OneOf

	FileSuffix string `json:"file_suffix"`
	Package    string
	// Forms are those of the captures about which an acceptable answer is right; none for all.
	Forms []string
	// SamePlace is set for other categories at the place of the root cause.
	SamePlace bool `json:"-"`
	// Count and Subject are what cases from elsewhere have, which is not compared.
	Count, Subject json.RawMessage
}

// UnmarshalJSON reads a place, or the category alone.
func (p *Place) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte{'"'}) {
		p.SamePlace = true
		return json.Unmarshal(data, &p.Category)
	}
	type plain Place
	return decode(data, (*plain)(p))
}

// OneOf are names of which any is right.
type OneOf []string

// UnmarshalJSON reads one name or a list.
func (o *OneOf) UnmarshalJSON(data []byte) error {
	var one string
	switch data[0] {
	case '[':
		return json.Unmarshal(data, (*[]string)(o))
	case '"':
		if err := json.Unmarshal(data, &one); err != nil || one == "" {
			return err
		}
		*o = OneOf{one}
	default:
		if text := string(data); text != "null" {
			*o = OneOf{text} // a line's number
		}
	}
	return nil
}

// A Detail is what the text of a finding contains that leaves nothing out, where one of some forms shows it.
type Detail struct {
	Text  string
	Forms []string
}

// UnmarshalJSON reads a detail, or the text alone.
func (d *Detail) UnmarshalJSON(data []byte) error {
	if bytes.HasPrefix(data, []byte{'"'}) {
		return json.Unmarshal(data, &d.Text)
	}
	type plain Detail
	return decode(data, (*plain)(d))
}

// Forms are those that can show a fault, each with the least severity that it should have there: "" for that of the
// case.
type Forms []Form

// A Form is one of them.
type Form struct{ Name, Least string }

// UnmarshalJSON reads a list of forms, or their severities.
func (f *Forms) UnmarshalJSON(data []byte) error {
	var names []string
	severities := map[string]string{}
	if bytes.HasPrefix(data, []byte{'{'}) {
		if err := json.Unmarshal(data, &severities); err != nil {
			return err
		}
		names = slices.Sorted(maps.Keys(severities))
	} else if err := json.Unmarshal(data, &names); err != nil {
		return err
	}
	for _, name := range names {
		*f = append(*f, Form{name, severities[name]})
	}
	return nil
}

// Least is the least severity that the fault should have in a form, and whether that form can show it.
func (c *Case) Least(form string) (severity string, shown bool) {
	for _, f := range c.Forms {
		if f.Name == form {
			return cmp.Or(f.Least, c.MinSeverity), true
		}
	}
	return c.MinSeverity, len(c.Forms) == 0
}

// ReadCases reads a list of cases, or the case.json in each folder of a folder.
func ReadCases(path string) (cases []Case, err error) {
	if info, err := os.Stat(path); err != nil {
		return nil, err
	} else if info.IsDir() {
		return readFolders(path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var list []any
	if err := yaml.Unmarshal(data, &list); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if data, err = json.Marshal(list); err == nil {
		err = decode(data, &cases)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for i := range cases {
		cases[i].Dir = filepath.Dir(path)
		cases[i].Program = cmp.Or(cases[i].Program, cases[i].Name)
	}
	return cases, nil
}

// readFolders reads the case.json in each folder of a folder. Cases from elsewhere may have keys that nobody reads.
func readFolders(dir string) (cases []Case, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*", "case.json"))
	if err != nil || len(files) == 0 {
		return nil, errors.Join(err, fmt.Errorf("no cases in %s", dir))
	}
	for _, file := range files {
		c := Case{Dir: filepath.Dir(file)}
		data, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(data, &c)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		c.Name = filepath.Base(c.Dir)
		c.Program = c.Name
		cases = append(cases, c)
	}
	return cases, nil
}

// decode reads JSON without unknown keys.
func decode(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	return d.Decode(into)
}
