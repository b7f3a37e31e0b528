//go:build !fixed

package main

// remark begins a remark and does not end it.
const remark = "a"
