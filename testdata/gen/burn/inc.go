//go:build c

package main

import (
	"example.com/fixtures/burn/internal/native"
	"example.com/fixtures/burn/run"
)

func inC() []run.Kind { return native.Kinds() }
