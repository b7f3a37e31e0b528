package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// A tool is one as tools/list describes it. All read only.
type tool struct {
	Annotations object          `json:"annotations"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
	Name        string          `json:"name"`
	run         func(ctx context.Context, arguments json.RawMessage) (string, error)
}

// toolOf is a tool whose arguments are the fields of In.
func toolOf[In any](name, description string, run func(context.Context, In) (string, error)) tool {
	fields := argumentsOf(reflect.TypeFor[In]())
	return tool{
		Name: name, Description: description, InputSchema: schemaOf(fields),
		Annotations: object{
			"readOnlyHint": true, "idempotentHint": true, "destructiveHint": false, "openWorldHint": false,
		},
		run: func(ctx context.Context, arguments json.RawMessage) (string, error) {
			var in In
			if err := decode(arguments, fields, &in); err != nil {
				return "", err
			}
			return run(ctx, in)
		},
	}
}

// call returns a tool's answer. An error is one that the agent reads, not a failure of the protocol.
func (t *tool) call(ctx context.Context, arguments json.RawMessage) object {
	text, err := t.run(ctx, arguments)
	if err != nil {
		return object{"content": []object{{"type": "text", "text": errorText(err.Error())}}, "isError": true}
	}
	return object{"content": []object{{"type": "text", "text": bounded(text)}}}
}

// An argument is a field of a tool's arguments.
type argument struct {
	name, about string
	kind        string // of JSON: a string, an integer, an array of strings
	optional    bool
}

// argumentsOf are the fields of a struct and of those in it, with their tags: json as encoding/json has it, jsonschema
// for what the agent reads about it.
func argumentsOf(t reflect.Type) (all []argument) {
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			all = append(all, argumentsOf(f.Type)...)
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		a := argument{name: name, about: f.Tag.Get("jsonschema"), optional: options == "omitempty", kind: "string"}
		switch f.Type.Kind() {
		case reflect.Slice:
			a.kind = "array"
		case reflect.Int, reflect.Int64:
			a.kind = "integer"
		}
		all = append(all, a)
	}
	return all
}

// schemaOf is a JSON schema of arguments, in their order.
func schemaOf(arguments []argument) json.RawMessage {
	var b bytes.Buffer
	required := []string{}
	b.WriteString(`{"type":"object","properties":{`)
	for i, a := range arguments {
		if i > 0 {
			b.WriteByte(',')
		}
		items := ""
		if a.kind == "array" {
			items = `,"items":{"type":"string"}`
		}
		fmt.Fprintf(&b, `%s:{"type":"%s"%s,"description":%s}`, quoted(a.name), a.kind, items, quoted(a.about))
		if !a.optional {
			required = append(required, a.name)
		}
	}
	list, _ := json.Marshal(required) // strings do not fail
	fmt.Fprintf(&b, `},"required":%s,"additionalProperties":false}`, list)
	return b.Bytes()
}

func quoted(s string) string {
	text, _ := json.Marshal(s) // a string does not fail
	return string(text)
}

// decode reads arguments into the struct that they are the fields of. An error names the argument and what it is to be.
func decode(text json.RawMessage, arguments []argument, into any) error {
	if len(text) == 0 {
		text = json.RawMessage("{}")
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(text, &given); err != nil {
		return errors.New("the arguments are no object")
	}
	for name := range given {
		if !slices.ContainsFunc(arguments, func(a argument) bool { return a.name == name }) {
			return fmt.Errorf("there is no argument %q", name)
		}
	}
	for _, a := range arguments {
		if _, ok := given[a.name]; !ok && !a.optional {
			return fmt.Errorf("the argument %s is missing", a.name)
		}
	}
	err := json.Unmarshal(text, into)
	bad, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok {
		return err
	}
	name := bad.Field[strings.LastIndexByte(bad.Field, '.')+1:]
	i := slices.IndexFunc(arguments, func(a argument) bool { return a.name == name })
	switch {
	case i < 0:
		return err
	case arguments[i].kind == "integer" && strings.HasPrefix(bad.Value, "number"):
		return fmt.Errorf("the argument %s is out of range", name)
	case arguments[i].kind == "array":
		return fmt.Errorf("the argument %s is a %s: it is an array of strings", name, bad.Value)
	}
	return fmt.Errorf("the argument %s is a %s: it is of type %s", name, bad.Value, arguments[i].kind)
}
