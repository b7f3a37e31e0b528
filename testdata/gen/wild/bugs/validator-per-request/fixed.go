//go:build fixed

package main

import "github.com/go-playground/validator/v10"

var rules = validator.New()

// check says what is wrong with an order.
func check(o *order) error { return rules.Struct(o) }
