package logpattern

// objectOf returns the object that the line just scanned is about, nil where there is no room for it.
func (p *minedPattern) objectOf(m *Miner, f *lineForm, text []byte) *minedObject {
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
	var o *minedObject
	switch size := len(kind) + len(namespace) + len(name); {
	case len(p.objects) < maxObjects && m.objects < maxAllObj && m.bytes+size <= maxNames:
		m.objects++
		o = &minedObject{at: len(p.objects)}
		p.objects = append(p.objects, o)
		if p.ranks != nil {
			p.ranks = append(p.ranks, o.rank())
		}
	case len(p.objects) == 0:
		return nil
	default:
		o = p.replaceRarest()
		m.bytes -= o.size()
		*o = minedObject{at: o.at, known: o.known[:0], over: o.count + o.over}
	}
	o.key, o.kind, o.namespace, o.name = key, kind, namespace, name
	m.bytes += o.size()
	p.byKey[key] = o
	return o
}

func (o *minedObject) size() int { return len(o.kind) + len(o.namespace) + len(o.name) }

// A rank orders the objects of a pattern by how rare they are.
type rank struct{ weight, last int64 }

func (o *minedObject) rank() rank { return rank{o.count + o.over, o.lastLine} }

// replaceRarest takes its place from the rarest object, for another one (space-saving): what occurs often keeps its
// place. It runs for every line whose object is new, so the ranks lie side by side.
func (p *minedPattern) replaceRarest() *minedObject {
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
