//go:build !fixed

package main

const size = 4
