// Package jsonspan finds the parts of JSON text (RFC 8259) by position and decodes only what is asked for. Its callers
// read logs and objects of gigabytes, of which nearly all bytes are stepped over.
//
// Functions take the text and a position and return a position: that behind a value, or a negative one, Cut or Broken.
// They check no more of the grammar than finding the next position takes: all that encoding/json accepts is spanned
// exactly, hostile text is spanned somehow, in linear time, without recursion and without allocation.
package jsonspan

// Negative positions.
const (
	Cut    = -1 // the text ends before the value, or the object around it, does
	Broken = -2 // no JSON
)

// MaxDepth bounds nesting, as in encoding/json and in the API server of Kubernetes.
const MaxDepth = 10_000
