package crash

// explainNilMapWrite is nil-map-write (TR204).
func explainNilMapWrite(g *crashGroup) account {
	return account{
		act: "writes to a nil map",
		why: g.fill("{who}{at} assigned to an entry of a map that is nil: a zero struct, or a decoded object whose " +
			"map was absent (labels, annotations, data of a Kubernetes object)."),
		fix: g.fill("Make the map before {line}: m = make(map[K]V) where it is nil, or in the constructor of the " +
			"struct that holds it."),
		next: g.logNext("staticcheck -checks SA5000 ./..."),
	}
}
