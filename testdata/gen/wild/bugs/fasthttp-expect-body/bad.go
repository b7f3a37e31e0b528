//go:build !fixed

package main

const readTimeout = 0
