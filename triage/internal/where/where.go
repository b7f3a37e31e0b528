// Package where compiles conditions on groups of goroutines: `state == "select" and minutes > 10`.
//
// The language is expr-lang's (https://expr-lang.org/docs/language-definition); the words are those of the JSON report.
package where

import (
	"errors"
	"fmt"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/vm"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/triage/schema"
)

// Words are what a condition can name: the state that headers print and the class of the wait, the longest wait in
// minutes (0 where unknown), the number of goroutines, the role ("" for none), whether one is locked to a thread, any
// function on the stack and its package, any label as printed ("request: 17"), and the function with the go statement
// ("" for main).
func Words() []string {
	return []string{"state", "wait", "minutes", "count", "role", "locked", "function", "package", "label", "created_by"}
}

// Any is a list of which one element is enough.
type Any []string

// env is what a condition sees of a group.
type env struct {
	State     string `expr:"state"`
	Wait      string `expr:"wait"`
	Minutes   int    `expr:"minutes"`
	Count     int    `expr:"count"`
	Role      string `expr:"role"`
	Locked    bool   `expr:"locked"`
	Function  Any    `expr:"function"`
	Package   Any    `expr:"package"`
	Label     Any    `expr:"label"`
	CreatedBy string `expr:"created_by"`

	AnyIs       func(Any, string) bool `expr:"anyIs"`
	NoneIs      func(Any, string) bool `expr:"noneIs"`
	AnyContains func(Any, string) bool `expr:"anyContains"`
	AnyBegins   func(Any, string) bool `expr:"anyBegins"`
	AnyEnds     func(Any, string) bool `expr:"anyEnds"`
}

func newEnv() *env {
	any := func(test func(s, part string) bool) func(Any, string) bool {
		return func(list Any, part string) bool {
			for _, s := range list {
				if test(s, part) {
					return true
				}
			}
			return false
		}
	}
	is := any(func(s, part string) bool { return s == part })
	return &env{
		AnyIs: is, NoneIs: func(list Any, s string) bool { return !is(list, s) }, AnyContains: any(strings.Contains),
		AnyBegins: any(strings.HasPrefix), AnyEnds: any(strings.HasSuffix),
	}
}

// A Filter is a condition on groups.
type Filter struct {
	program *vm.Program
	env     *env
}

// maxCondition bounds a condition's text. Chosen: real ones have a line.
const maxCondition = 4 << 10

// Compile reads a condition. The error shows where it is wrong.
func Compile(condition string) (*Filter, error) {
	if len(condition) > maxCondition {
		return nil, fmt.Errorf("the condition is longer than %d bytes", maxCondition)
	}
	program, err := expr.Compile(condition, expr.Env(newEnv()), expr.AsBool(), expr.DisableBuiltin("now"),
		expr.Operator("==", "anyIs"), expr.Operator("!=", "noneIs"), expr.Operator("contains", "anyContains"),
		expr.Operator("startsWith", "anyBegins"), expr.Operator("endsWith", "anyEnds"))
	if err != nil {
		var at *file.Error
		if errors.As(err, &at) {
			hint := ""
			if strings.Contains(condition, "not ") && strings.Contains(at.Message, "not (mismatched") {
				hint = "; not needs brackets: not (function contains \"x\")"
			}
			return nil, fmt.Errorf("%s at column %d of the condition%s", at.Message, at.Column+1, hint)
		}
		return nil, err
	}
	return &Filter{program: program, env: newEnv()}, nil
}

// Match reports whether the condition holds for a group. The error is for one that can't be computed, a division by
// zero for instance. A Filter is for one goroutine at a time.
func (f *Filter) Match(b *schema.Bucket) (bool, error) {
	e := f.env
	e.State, e.Wait, e.Role, e.Locked = b.State, b.Wait, b.Role, b.Locked
	e.Minutes, e.Count, e.Label = int(b.Minutes.Max), b.Count, b.Labels
	e.Function, e.Package, e.CreatedBy = e.Function[:0], e.Package[:0], ""
	if b.CreatedBy != nil {
		e.CreatedBy = b.CreatedBy.Function
	}
	for _, fr := range b.Frames {
		if fr.Function != "" {
			e.Function = append(e.Function, fr.Function)
			e.Package = append(e.Package, symbol.ParseName(fr.Function).Package)
		}
	}
	out, err := expr.Run(f.program, e)
	if err != nil {
		return false, fmt.Errorf("the condition: %w", err)
	}
	return out == true, nil
}

// Keep returns the groups that match.
func (f *Filter) Keep(all []schema.Bucket) ([]schema.Bucket, error) {
	kept := []schema.Bucket{}
	for i := range all {
		ok, err := f.Match(&all[i])
		if err != nil {
			return nil, err
		}
		if ok {
			kept = append(kept, all[i])
		}
	}
	return kept, nil
}
