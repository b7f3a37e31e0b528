package capture

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A Program is what captures need of a label.
type Program struct {
	Name, Half, Kind, Category string
	Release                    string // the oldest release of Go that builds it
}

// Programs reads the labels of a population, whose files' names begin with a path. Each value is on the line of its key.
func Programs(labels string, halves ...string) (all []Program, err error) {
	for _, half := range halves {
		data, err := os.ReadFile(labels + half + ".yaml")
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(data)) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
			value = strings.Trim(value, `"`)
			if key == "- name" {
				all = append(all, Program{Name: value, Half: half})
				continue
			}
			if len(all) == 0 {
				continue
			}
			switch p := &all[len(all)-1]; key {
			case "kind":
				p.Kind = value
			case "root_cause", "category":
				value, _, _ = strings.Cut(value, ", function")
				p.Category += value
			case "go":
				p.Release = value
			case "about":
				_, release, _ := strings.Cut(value, "go: ")
				p.Release, _, _ = strings.Cut(strings.Trim(release, `"`), `"`)
			}
		}
	}
	return all, nil
}

// A Label is a file's label, as it is written in one line: its keys with their values, which are texts, lists of texts or
// labels. A key with an empty value is left out.
type Label [][2]any

// Name is the value of the key that comes first.
func (l Label) Name() string { return fmt.Sprint(l[0][1]) }

// String is the line.
func (l Label) String() string { return "- " + flow(l) }

// plain matches what needs no quotes in a list or a map.
var plain = regexp.MustCompile(`^[A-Za-z(/]([^\n\r\t\[\]{},"':#|]*[^\n\r\t\[\]{},"':#| ])?$`)

func flow(value any) string {
	switch v := value.(type) {
	case Label:
		var parts []string
		for _, key := range v {
			if text := flow(key[1]); text != `""` && text != "[]" && text != "{}" {
				parts = append(parts, fmt.Sprint(key[0])+": "+text)
			}
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []string:
		var parts []string
		for _, text := range v {
			parts = append(parts, flow(text))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case []Label:
		var parts []string
		for _, l := range v {
			parts = append(parts, flow(l))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	text := fmt.Sprint(value)
	words := []string{"null", "true", "false", "yes", "no", "on", "off", "y", "n"}
	if plain.MatchString(text) && !slices.Contains(words, strings.ToLower(text)) {
		return text
	}
	var quoted strings.Builder
	e := json.NewEncoder(&quoted)
	e.SetEscapeHTML(false)
	if err := e.Encode(text); err != nil {
		panic(err) // a string
	}
	return strings.TrimSpace(quoted.String())
}

// OneOf is one text, or a list of which any is right.
func OneOf(texts []string) any {
	if len(texts) == 1 {
		return texts[0]
	}
	return texts
}

// head begins a list of labels.
const head = "# Labels, older than the first capture. testdata/README.md describes the keys.\n"

// WriteLabels writes a list of labels.
func WriteLabels(file string, labels []Label) error {
	text := head
	for _, l := range labels {
		text += l.String() + "\n"
	}
	return os.WriteFile(file, []byte(text), 0o644)
}

// UpdateLabels replaces the labels of files in a list, keeps the others, and sorts them.
func UpdateLabels(file string, made []Label) error {
	lines := map[string]string{}
	old, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for line := range strings.Lines(strings.TrimPrefix(string(old), head)) {
		name, _, _ := strings.Cut(strings.TrimPrefix(line, "- {name: "), ", ")
		lines[strings.Trim(name, `"`)] = line
	}
	for _, l := range made {
		lines[l.Name()] = l.String() + "\n"
	}
	text := head
	for _, name := range sortedKeys(lines) {
		text += lines[name]
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o644)
}

func sortedKeys(lines map[string]string) (names []string) {
	for name := range lines {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
