package declared

import (
	"errors"
	"sync"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"
)

// A condition is a compiled `when:`; nil holds for everything. Goroutines may share it. The bounds on what it may cost
// are those of package vm: so many values made in one evaluation, and patterns of package regexp.
type condition struct {
	prog *vm.Program
	vms  sync.Pool
}

// compileCondition compiles a condition over what env points to.
func compileCondition(text string, env any) (*condition, error) {
	prog, err := expr.Compile(text, expr.Env(env), expr.AsBool(), expr.DisableBuiltin("now"))
	if err != nil {
		return nil, conditionError(err)
	}
	return &condition{prog: prog}, nil
}

// holds evaluates the condition. One that fails at run time (an index out of range) does not hold.
func (c *condition) holds(env any) bool {
	if c == nil {
		return true
	}
	machine, ok := c.vms.Get().(*vm.VM)
	if !ok {
		machine = &vm.VM{}
	}
	defer c.vms.Put(machine)
	out, err := machine.Run(c.prog, env)
	holds, _ := out.(bool)
	return holds && err == nil
}

// conditionTypes are the types of conditions that a condition names: conditions["Ready"].
func conditionTypes(text string) []string {
	tree, err := parser.Parse(text)
	if err != nil {
		return nil
	}
	var types typesNamed
	ast.Walk(&tree.Node, &types)
	return types
}

// typesNamed collects the keys of conditions.
type typesNamed []string

// Visit is called for each node of a condition.
func (t *typesNamed) Visit(node *ast.Node) {
	if m, ok := (*node).(*ast.MemberNode); ok {
		of, named := m.Node.(*ast.IdentifierNode)
		if key, ok := m.Property.(*ast.StringNode); ok && named && of.Value == "conditions" {
			*t = append(*t, key.Value)
		}
	}
}

// conditionError keeps the message of the condition's compiler without its own drawing of the line.
func conditionError(err error) error {
	if fe, ok := errors.AsType[*file.Error](err); ok {
		return &messageError{fe.Message, err}
	}
	return err
}

// A messageError prints a message and unwraps to what it came from.
type messageError struct {
	text string
	err  error
}

func (e *messageError) Error() string { return e.text }
func (e *messageError) Unwrap() error { return e.err }
