package symbol

import "strings"

// Innermost returns where in a closure's name the last declared function begins, 0 where it is the only one. Since Go
// 1.21 the compiler puts in front of it the function that it was compiled into, and each function that was inlined
// there (cmd/compile/internal/ir, closureName), all in the package of the first:
// "timeout.New.New.NewMiddleware.func1.func2.1" is a closure of NewMiddleware.
//
// Of two names the first may be a type and the second its method, unless it is a constructor's name: sure is false
// there. Of three or more one is inlined for sure, and the last is taken for a function, as it is in nearly all such
// names of 150 programs: of a method without a pointer, inlined elsewhere, the type is lost.
func Innermost(fn string) (at int, sure bool) {
	if fn == "" || !IsDigit(fn[len(fn)-1]) || strings.Contains(fn, middot) {
		return 0, false
	}
	pkg, rest := SplitPackage(fn)
	if pkg == "" {
		return 0, false
	}
	names, method, closed := 0, false, false
	for pos := 0; pos < len(rest); {
		part := segment(rest[pos:])
		switch {
		case part == "":
		case isClosure(part):
			closed = names > 0
		case method:
			method = false // the M of (*T).M
		default:
			method = part[0] == '('
			sure = names > 1 || closed || method || rest[0] == '(' || constructs(pkg, rest)
			at, closed = pos, false
			names++
		}
		pos += len(part) + 1
	}
	if at == 0 {
		return 0, false
	}
	return len(pkg) + 1 + at, sure
}

// constructs reports whether a name begins with that of a function that is no type, by convention.
func constructs(pkg, rest string) bool {
	first := segment(rest)
	if after, ok := strings.CutPrefix(first, "New"); ok {
		return after == "" || 'A' <= after[0] && after[0] <= 'Z'
	}
	return first == "init" || first == "main" && pkg == "main"
}
