//go:build fixed

package main

// remark is a whole remark.
const remark = "a-->"
