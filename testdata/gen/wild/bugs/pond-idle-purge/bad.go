//go:build !fixed

package main

const kept = 0
