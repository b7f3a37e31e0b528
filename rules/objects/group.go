package objects

// A grouping keeps values by key, keys in the order in which they came.
type grouping[K comparable, V any] struct {
	keys   []K
	values map[K][]V
}

func (g *grouping[K, V]) add(key K, value V) {
	if g.values == nil {
		g.values = map[K][]V{}
	}
	if g.values[key] == nil {
		g.keys = append(g.keys, key)
	}
	g.values[key] = append(g.values[key], value)
}
