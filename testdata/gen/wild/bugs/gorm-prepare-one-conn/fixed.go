//go:build fixed

package main

// prepare says whether statements are kept prepared.
const prepare = false
