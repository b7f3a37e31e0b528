package lower

func One() int { return 1 }
