//go:build !c

package main

import "example.com/fixtures/burn/run"

func inC() []run.Kind { return nil }
