//go:build !fixed

package main

import "github.com/go-stomp/stomp/v3/frame"

// unsubscribed is what the broker answers under load: nothing.
func unsubscribed(*frame.Writer, *frame.Frame) {}
