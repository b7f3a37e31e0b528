package main

// A kind is one way to get stuck.
type kind struct {
	name  string
	start func()
	busy  bool           // beside many innocents
	shows map[string]int // function to goroutines that are parked below it once the program is stuck
}

// kinds are all ways to get stuck.
func kinds() []kind {
	var all []kind
	for _, part := range [][]kind{doubleLocks(), lockCycles(), readerRecursions(), lockChannels(), counters(), leaks(), convoys()} {
		all = append(all, part...)
	}
	return all
}

func find(name string) (kind, bool) {
	for _, k := range kinds() {
		if k.name == name {
			return k, true
		}
	}
	return kind{}, false
}
