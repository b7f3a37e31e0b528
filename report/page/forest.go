package page

import "github.com/gotriage/triage/internal/symbol"

// A pathCall is one call of a path from the root.
type pathCall struct{ name, place string }

func newStep(function, file string) pathCall {
	return pathCall{cutName(symbol.ShortFunc(function)), cutName(symbol.ShortFile(file))}
}

// A forest builds a flame.
type forest struct {
	f        flame
	names    map[pathCall]int32
	kinds    map[string]int16
	children map[[2]int32]int32 // parent and name → node
	byKind   []map[int16]int64  // value of each kind below a node
}

func newForest(title, unit string) *forest {
	return &forest{
		f: flame{Title: title, Unit: unit, Names: []string{""}, Places: []string{""}, Parent: []int32{-1},
			Name: []int32{0}, Value: []int64{0}, After: []int64{0}, Kinds: []string{}},
		names: map[pathCall]int32{}, kinds: map[string]int16{}, children: map[[2]int32]int32{},
		byKind: []map[int16]int64{{}},
	}
}

// A stack is one path from the root, whose leaf has the kind, with what it counts; after is the part of value that the
// after side has, where two are compared.
type stack struct {
	path         []pathCall
	value, after int64
	kind         string
}

func (b *forest) add(s stack) {
	if s.value <= 0 {
		return
	}
	k := intern(b.kinds, &b.f.Kinds, s.kind)
	node := int32(0)
	b.count(node, &s, k)
	for _, call := range s.path {
		name, known := b.names[call]
		if !known {
			name = int32(len(b.f.Names))
			b.names[call] = name
			b.f.Names, b.f.Places = append(b.f.Names, call.name), append(b.f.Places, call.place)
		}
		child, known := b.children[[2]int32{node, name}]
		if !known {
			if len(b.f.Parent) == maxNodes {
				b.f.Folded++
				return
			}
			child = int32(len(b.f.Parent))
			b.children[[2]int32{node, name}] = child
			b.f.Parent, b.f.Name = append(b.f.Parent, node), append(b.f.Name, name)
			b.f.Value, b.f.After = append(b.f.Value, 0), append(b.f.After, 0)
			b.byKind = append(b.byKind, map[int16]int64{})
		}
		node = child
		b.count(node, &s, k)
	}
}

func (b *forest) count(node int32, s *stack, kind int16) {
	b.f.Value[node] += s.value
	b.f.After[node] += s.after
	b.byKind[node][kind] += s.value
}

func intern(index map[string]int16, list *[]string, s string) int16 {
	i, known := index[s]
	if !known {
		i = int16(len(*list))
		index[s] = i
		*list = append(*list, s)
	}
	return i
}

// flame concludes the tree: each node gets the kind of most of what is below it.
func (b *forest) flame() flame {
	b.f.Kind = make([]int16, len(b.byKind))
	for i, kinds := range b.byKind {
		most := int64(-1)
		for k := range int16(len(b.f.Kinds)) {
			if v := kinds[k]; v > most {
				b.f.Kind[i], most = k, v
			}
		}
	}
	if b.f.Scale == 0 {
		b.f.After = nil
	}
	return b.f
}
