//go:build !fixed

package main

import "github.com/go-playground/validator/v10"

// check says what is wrong with an order.
func check(o *order) error { return validator.New().Struct(o) }
