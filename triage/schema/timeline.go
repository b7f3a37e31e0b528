package schema

import (
	"time"

	"github.com/gotriage/triage/rules"
)

// An ObjectTimeline is the writes of one object, as audit logs have them, for drawings.
type ObjectTimeline struct {
	Object rules.Object
	Total  int64         // requests that would have written it, the refused ones as well
	Writes []ObjectWrite // in order of time, the first ones
	Fields []FieldValues // what was written, most frequent first
}

// An ObjectWrite is one request that writes an object.
type ObjectWrite struct {
	Time        time.Time
	Actor, Verb string
	Subresource string
	Code        int    // the answer's status, 0 where unknown
	Version     uint64 // resourceVersion of the answer, 0 where unknown
	// Same means that the object was the same before: its version did not change, or a comparison of the bodies shows
	// no difference.
	Same   bool
	Fields []string // that changed, as far as bodies are logged
	More   int      // further fields
}

// FieldValues are the values that one actor gave one field.
type FieldValues struct {
	Actor, Path string
	Count       int64
	Values      []string // as JSON, the first ones
	Others      bool     // there were more
}
