package crash

// explainReflectMisuse is reflect-misuse (TR212).
func explainReflectMisuse(g *crashGroup) account {
	return account{
		act: "misuses reflection: " + g.text,
		why: g.fill("{who}{at} reached a reflect operation that its value does not allow: {text}."),
		fix: g.fill("Check Value.IsValid (nil interfaces), Kind, CanSet (pass a pointer, exported fields only) " +
			"before {line}."),
		next: g.logNext(),
	}
}
