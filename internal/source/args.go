package source

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
)

// arguments gives the words of a call the names and types of the parameters. From Go 1.17 on a traceback prints one
// word or one pair of braces for each parameter in the order of the source, the receiver first: a string is
// {address, length}, a slice {address, length, capacity}, an interface {type, data}, a struct its fields
// (cmd/compile/internal/ssagen, emitArgInfo). Where the numbers or the forms differ there is no certain mapping, and
// no argument is named: all are left out.
func (p *parsed) arguments(decl *ast.FuncDecl, a *Ask) []rules.Argument {
	words, whole := splitWords(a.Words)
	recv, params := decl.Recv, decl.Type.Params
	if name := symbol.ParseName(a.Place.Function); name.Closure != "" || name.Generic {
		return nil // the name alone doesn't show which closure it is; generic functions get a dictionary first
	}
	fields := fieldsOf(recv, params)
	if len(words) == 0 || len(words) > len(fields) || whole && len(words) != len(fields) {
		return nil
	}
	list := make([]rules.Argument, len(words))
	for i, w := range words {
		if !p.fits(w, fields[i].typ, 0) {
			return nil
		}
		list[i] = rules.Argument{Name: fields[i].name, Type: shortened(p.asWritten(fields[i].typ)),
			Words: cut(w, maxName)}
		list[i].Value = value(w, list[i].Type)
	}
	return list
}

// asWritten is a part of the file as its author wrote it, in one line. (go/types has a form for expressions too, and
// makes its universe in every start of the program that imports it.)
func (p *parsed) asWritten(n ast.Node) string {
	at := func(pos token.Pos) int { return min(p.set.PositionFor(pos, false).Offset, len(p.text)) }
	return strings.Join(strings.Fields(p.text[at(n.Pos()):at(n.End())]), " ")
}

// A field is one parameter.
type field struct {
	name string
	typ  ast.Expr
}

// fieldsOf lists parameters one by one; those without a name are called _.
func fieldsOf(lists ...*ast.FieldList) []field {
	var all []field
	for _, list := range lists {
		if list == nil {
			continue
		}
		for _, f := range list.List {
			if len(f.Names) == 0 {
				all = append(all, field{"_", f.Type})
			}
			for _, n := range f.Names {
				all = append(all, field{shortened(n.Name), f.Type})
			}
		}
	}
	return all
}

// splitWords splits a list of words at the commas outside of braces; whole reports that the list isn't cut by "...".
// What is no list of words gives none.
func splitWords(list string) (words []string, whole bool) {
	depth, begin := 0, 0
	for i := 0; i <= len(list); i++ {
		if i == len(list) || list[i] == ',' && depth == 0 {
			if w := strings.TrimSpace(list[begin:i]); w != "" {
				words = append(words, w)
			}
			begin = i + 1
			continue
		}
		switch c := list[i]; {
		case c == '{':
			depth++
		case c == '}':
			depth--
		case !strings.ContainsRune("0123456789abcdefx_.?, ", rune(c)):
			return nil, false
		}
		if depth < 0 {
			return nil, false
		}
	}
	if depth != 0 {
		return nil, false
	}
	if n := len(words); n > 0 && words[n-1] == "..." {
		return words[:n-1], false
	}
	return words, true
}

// fits reports whether a word, or words in braces, may be a value of the type as the file writes it.
func (p *parsed) fits(w string, typ ast.Expr, depth int) bool {
	braces := -1 // how many words are in them; -1 without braces
	cut := strings.HasSuffix(w, "...}")
	if inner, ok := strings.CutPrefix(w, "{"); ok {
		list, _ := splitWords(strings.TrimSuffix(inner, "}"))
		braces = len(list)
	}
	of := func(n int) bool { return braces == n || cut && 0 <= braces && braces < n }
	switch t := typ.(type) {
	case *ast.StarExpr, *ast.MapType, *ast.ChanType, *ast.FuncType:
		return braces < 0
	case *ast.InterfaceType:
		return of(2)
	case *ast.Ellipsis:
		return of(3)
	case *ast.ArrayType:
		return t.Len == nil && of(3) || t.Len != nil && braces >= 0
	case *ast.StructType:
		return braces >= 0
	case *ast.ParenExpr:
		return p.fits(w, t.X, depth)
	case *ast.Ident:
		if declared := p.typeOf(t.Name); declared != nil {
			const maxDepth = 8 // type A B; type B A
			return depth > maxDepth || p.fits(w, declared, depth+1)
		}
		switch t.Name {
		case "string", "error", "any", "complex64", "complex128":
			return of(2)
		case "bool", "uintptr", "float32", "float64", "byte", "rune":
			return braces < 0
		}
		if _, _, ok := integer(t.Name); ok {
			return braces < 0
		}
	}
	return true // a type of another file: any form may be right
}

// typeOf is the type that the file declares by that name, nil for none.
func (p *parsed) typeOf(name string) ast.Expr {
	for _, d := range p.syntax.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range g.Specs {
			if t, ok := s.(*ast.TypeSpec); ok && t.Name.Name == name {
				return t.Type
			}
		}
	}
	return nil
}

// value is what words mean for a reader, "" where they are best left as they are. A word with "?" may be out of date,
// which its value says too.
func value(w, typ string) string {
	inner, braces := strings.CutPrefix(strings.TrimSuffix(w, "}"), "{")
	n := numbers(inner)
	text := ""
	switch {
	case len(n) == 0:
	case braces:
		text = valueOf(n, typ)
	case len(n) == 1:
		text = wordValue(n[0], typ)
	}
	if text != "" && strings.Contains(w, "?") {
		text += "?"
	}
	return text
}

// valueOf is what the words of a string, a slice or an interface mean.
func valueOf(n []uint64, typ string) string {
	switch {
	case typ == "string" && len(n) == 2:
		return strconv.FormatUint(n[1], 10) + " bytes"
	case strings.HasPrefix(typ, "[]") && len(n) == 3:
		return "len " + strconv.FormatUint(n[1], 10)
	case (typ == "error" || typ == "any" || typ == "interface{}") && len(n) == 2 && n[0] == 0:
		return "nil"
	}
	return ""
}

// wordValue is what one word means.
func wordValue(n uint64, typ string) string {
	bits, signed, isInt := integer(typ)
	switch {
	case n == 0 && (strings.HasPrefix(typ, "*") || strings.HasPrefix(typ, "map[") || strings.Contains(typ, "chan ")):
		return "nil"
	case typ == "bool" && n <= 1:
		return strconv.FormatBool(n == 1)
	case isInt && signed && bits > 0:
		return strconv.FormatInt(int64(n<<(64-bits))>>(64-bits), 10)
	case isInt && (!signed || n < 1<<31):
		return strconv.FormatUint(n, 10)
	case isInt && n >= 1<<63: // of 64 bits
		return strconv.FormatInt(int64(n), 10)
	}
	return ""
}

// numbers reads a list of words, nil where one is no number.
func numbers(list string) []uint64 {
	words, _ := splitWords(list)
	var n []uint64
	for _, w := range words {
		v, err := strconv.ParseUint(strings.TrimPrefix(strings.TrimSuffix(w, "?"), "0x"), 16, 64)
		if err != nil {
			return nil
		}
		n = append(n, v)
	}
	return n
}

// integer is how many bits an integer type has, 0 for one that depends on the machine.
func integer(typ string) (bits uint, signed, ok bool) {
	name, unsigned := strings.CutPrefix(typ, "u")
	size, ok := strings.CutPrefix(name, "int")
	switch size {
	case "":
		return 0, !unsigned, ok
	case "8", "16", "32", "64":
		n, err := strconv.ParseUint(size, 10, 8)
		return uint(n), !unsigned, ok && err == nil
	}
	return 0, false, false
}
