package declared

import (
	"errors"
	"regexp"
	"sync"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/file"
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

// conditionTypes are the types of an object's conditions that a text names: conditions["Ready"], conditions.Ready.
func conditionTypes(text string) (types []string) {
	for _, m := range namedType().FindAllStringSubmatch(text, -1) {
		types = append(types, m[1]+m[2])
	}
	return types
}

var namedType = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\bconditions(?:\[["']([^"'\]]+)["']\]|\.(\w+))`)
})

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
