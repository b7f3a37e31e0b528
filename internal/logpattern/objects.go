package logpattern

// objectOf returns the object that the line just scanned is about, nil where there is no room for it.
func (p *pattern) objectOf(m *Miner, f *form, text []byte) *object {
	sub, s := f.subject, &m.scan
	key := uint64(k1)
	if sub.nameTok >= 0 {
		key = mix(key, s.values[sub.nameTok])
		if sub.nsTok >= 0 {
			key = mix(key, s.values[sub.nsTok])
		}
		if sub.kindTok >= 0 {
			key = mix(key, s.values[sub.kindTok])
		}
	}
	if o, ok := p.byKey[key]; ok {
		return o
	}
	var kind, namespace, name string
	if sub.nameTok >= 0 {
		kind, namespace, name = sub.nameOf(text, s)
	}
	var o *object
	switch size := len(kind) + len(namespace) + len(name); {
	case len(p.objects) < maxObjects && m.objects < maxAllObj && m.bytes+size <= maxNames:
		m.objects++
		o = &object{at: len(p.objects)}
		p.objects = append(p.objects, o)
		if p.ranks != nil {
			p.ranks = append(p.ranks, o.rank())
		}
	case len(p.objects) == 0:
		return nil
	default:
		o = p.replaceRarest()
		m.bytes -= o.size()
		*o = object{at: o.at, known: o.known[:0], over: o.count + o.over}
	}
	o.key, o.kind, o.namespace, o.name = key, kind, namespace, name
	m.bytes += o.size()
	p.byKey[key] = o
	return o
}

func (o *object) size() int { return len(o.kind) + len(o.namespace) + len(o.name) }

// A rank orders the objects of a pattern by how rare they are.
type rank struct{ weight, last int64 }

func (o *object) rank() rank { return rank{o.count + o.over, o.lastLine} }

// replaceRarest takes its place from the rarest object, for another one (space-saving): what occurs often keeps its
// place. It runs for every line whose object is new, so the ranks lie side by side.
func (p *pattern) replaceRarest() *object {
	if p.ranks == nil {
		p.ranks = make([]rank, len(p.objects), maxObjects)
		for i, o := range p.objects {
			p.ranks[i] = o.rank()
		}
	}
	rarest := 0
	for i, a := range p.ranks {
		b := p.ranks[rarest]
		if a.weight < b.weight || a.weight == b.weight && a.last < b.last {
			rarest = i
		}
	}
	old := p.objects[rarest]
	delete(p.byKey, old.key)
	return old
}
