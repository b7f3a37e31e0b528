package crash

// explainUnhashableKey is unhashable-key (TR206).
func explainUnhashableKey(g *crashGroup) account {
	return account{
		act: "compares what can't be compared: " + g.text,
		why: g.fill("{who}{at} hashed or compared an interface whose value is not comparable: {text}."),
		fix: g.fill("Make the key or operand at {line} a comparable type (a string, a struct of plain fields), or " +
			"compare contents with reflect.DeepEqual. Errors: give the error type a pointer receiver and use " +
			"errors.Is."),
		next: g.logNext(),
	}
}
