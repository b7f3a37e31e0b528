package kube

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// Bounds on what the full parser of YAML is given: people's manifests of a few kilobytes.
const (
	// maxFallback bounds one document: 256 KiB of equal keys take 2 s (measured), a fourth of it a sixteenth.
	maxFallback = 64 << 10
	// maxFallbacks bounds the documents of a run together, in bytes.
	maxFallbacks = 4 << 20
	// maxExpanded bounds a document's values, aliases written out. The largest real object here has 60,000 lines.
	maxExpanded = 100_000
	// maxOpen bounds brackets and indicators that are open at once: the parser is recursive.
	maxOpen = 200
)

var (
	errLarge = errors.New("YAML with anchors, aliases, tags or errors, too large for the full parser")
	errOften = errors.New("YAML with anchors, aliases, tags or errors, beyond what the full parser is given in one " +
		"run")
	errNested = errors.New("YAML nested too deep")
	errBomb   = errors.New("YAML whose aliases expand too far")
)

// parseAny fills t with a document that parseYAML does not read, and returns its root.
func (t *tree) parseAny(buf []byte) (root int32, err error) {
	if len(buf) > maxFallback {
		return 0, errLarge
	}
	if !shallow(buf) {
		return 0, errNested
	}
	defer func() {
		if p := recover(); p != nil {
			root, err = 0, fmt.Errorf("no valid YAML: the parser gave up: %.80v", p)
		}
	}()
	file, err := parser.ParseBytes(bytes.Clone(buf), 0, parser.AllowDuplicateMapKey())
	if err != nil {
		return 0, errors.New("no valid YAML")
	}
	t.reset(nil)
	x := expansion{t: t, anchors: map[string]ast.Node{}}
	root = t.add(0, 0, 0)
	for _, doc := range file.Docs {
		if doc.Body == nil {
			continue
		}
		if err := x.node(root, doc.Body, 0); err != nil {
			return 0, err
		}
		break
	}
	return root, nil
}

// shallow reports that nothing in buf makes a recursive parser go deep.
func shallow(buf []byte) bool {
	open := 0
	for line := range bytes.Lines(buf) {
		signs := 0
		for i, c := range line {
			switch c {
			case '[', '{':
				open++
			case ']', '}':
				open = max(open-1, 0)
			case '-', '?', '&', '!', '*', ':':
				if i == 0 || line[i-1] == ' ' || line[i-1] == '\t' {
					signs++
				}
			}
		}
		if open > maxOpen || signs > maxOpen {
			return false
		}
	}
	return true
}

// An expansion copies a parsed document into a tree, aliases written out.
type expansion struct {
	t       *tree
	anchors map[string]ast.Node
	depth   int // of aliases inside aliases
}

func (x *expansion) node(n int32, v ast.Node, depth int) error {
	if depth > maxDepth {
		return errDeep
	}
	if len(x.t.nodes) > maxExpanded || len(x.t.buf) > maxItem {
		return errBomb
	}
	if tk := v.GetToken(); tk != nil && tk.Position != nil {
		x.t.nodes[n].line = int32(max(tk.Position.Line-1, 0))
	}
	switch v := v.(type) {
	case ast.MapNode:
		x.t.nodes[n].kind = mapNode
		_, err := x.pairs(n, 0, v, depth)
		return err
	case *ast.SequenceNode:
		x.t.nodes[n].kind = seqNode
		prev := int32(0)
		for _, e := range v.Values {
			prev = x.t.add(n, prev, x.t.nodes[n].line)
			if err := x.node(prev, e, depth+1); err != nil {
				return err
			}
		}
		return nil
	case *ast.AnchorNode:
		x.anchors[v.Name.String()] = v.Value
		return x.node(n, v.Value, depth)
	case *ast.AliasNode:
		return x.alias(v, func(target ast.Node) error { return x.node(n, target, depth+1) })
	case *ast.TagNode:
		return x.node(n, v.Value, depth)
	}
	x.scalar(n, v)
	return nil
}

func (x *expansion) alias(v *ast.AliasNode, use func(ast.Node) error) error {
	target, ok := x.anchors[v.Value.String()]
	if !ok {
		return errors.New("no valid YAML: an alias without its anchor")
	}
	if x.depth >= maxDepth {
		return errBomb
	}
	x.depth++
	defer func() { x.depth-- }()
	return use(target)
}

// pairs adds pairs behind prev and returns the last. Of two with one key the reader takes the first.
func (x *expansion) pairs(n, prev int32, v ast.MapNode, depth int) (int32, error) {
	var merged []*ast.MappingValueNode
	for pairs := v.MapRange(); pairs.Next(); {
		p := pairs.KeyValue()
		if _, merge := p.Key.(*ast.MergeKeyNode); merge {
			merged = append(merged, p)
			continue
		}
		if len(x.t.nodes) > maxExpanded {
			return prev, errBomb
		}
		prev = x.t.add(n, prev, x.t.nodes[n].line)
		off := len(x.t.buf)
		x.t.buf = append(x.t.buf, keyText(p.Key)...)
		c := &x.t.nodes[prev]
		c.keyOff, c.keyEnd, c.keyStyle = int32(off), int32(len(x.t.buf)), verbatim
		if err := x.node(prev, p.Value, depth+1); err != nil {
			return prev, err
		}
		x.t.noteKind(depth+1, prev)
	}
	for _, p := range merged {
		var err error
		if prev, err = x.merge(n, prev, p.Value, depth+1); err != nil {
			return prev, err
		}
	}
	return prev, nil
}

func (x *expansion) merge(n, prev int32, v ast.Node, depth int) (int32, error) {
	if depth > maxDepth {
		return prev, errDeep
	}
	var err error
	switch v := v.(type) {
	case *ast.AliasNode:
		err = x.alias(v, func(target ast.Node) error {
			prev, err = x.merge(n, prev, target, depth+1)
			return err
		})
	case *ast.AnchorNode:
		x.anchors[v.Name.String()] = v.Value
		return x.merge(n, prev, v.Value, depth+1)
	case ast.MapNode:
		return x.pairs(n, prev, v, depth)
	case *ast.SequenceNode:
		for _, e := range v.Values {
			if prev, err = x.merge(n, prev, e, depth+1); err != nil {
				return prev, err
			}
		}
	}
	return prev, err
}

func keyText(k ast.MapKeyNode) string {
	if s, ok := k.(*ast.StringNode); ok {
		return s.Value
	}
	if tk := k.GetToken(); tk != nil {
		return tk.Value
	}
	return k.String()
}

func (x *expansion) scalar(n int32, v ast.Node) {
	text, st := "", plain
	switch v := v.(type) {
	case *ast.StringNode:
		text, st = v.Value, verbatim
	case *ast.LiteralNode:
		text, st = v.Value.Value, verbatim
	case *ast.NullNode:
	default:
		if tk := v.GetToken(); tk != nil {
			text = tk.Value
		}
	}
	off := len(x.t.buf)
	x.t.buf = append(x.t.buf, text...)
	nd := &x.t.nodes[n]
	nd.kind, nd.style = scalarNode, st
	nd.off, nd.end = int32(off), int32(len(x.t.buf))
}
