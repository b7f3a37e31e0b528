package module

import "testing"

func helper() int { return Top() }

func TestTop(*testing.T) { helper() }
