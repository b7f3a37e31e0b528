//go:build fixed

package main

import "github.com/go-stomp/stomp/v3/frame"

// unsubscribed is what the broker answers.
func unsubscribed(w *frame.Writer, f *frame.Frame) {
	w.Write(frame.New(frame.RECEIPT, frame.ReceiptId, f.Header.Get(frame.Receipt)))
}
