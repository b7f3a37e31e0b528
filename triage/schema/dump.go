package schema

import "github.com/gotriage/triage/stackparse"

// A Dump is one goroutine dump of the report.
type Dump struct {
	Input string `json:"input"`
	Line  int64  `json:"line"`
	// EndInput and EndLine are where its last line is: in another file where rotation cut it.
	EndInput string `json:"end_input"`
	EndLine  int64  `json:"end_line"`
	// Namespace, Pod and Container are those of the process, where path or framing name it: an input may hold several.
	Namespace  string      `json:"namespace"`
	Pod        string      `json:"pod"`
	Container  string      `json:"container"`
	Time       string      `json:"time"`
	Format     string      `json:"format"`
	Signal     string      `json:"signal"`
	Reason     string      `json:"reason"`
	Go         string      `json:"go"`
	Goroutines int         `json:"goroutines"`
	Truncated  string      `json:"truncated"` // "", "head", "tail", "both"
	Seen       int         `json:"seen"`      // how often this same dump was printed
	Buckets    []Bucket    `json:"buckets"`
	Roles      []RoleCount `json:"roles"`
	// Runnable explains for each running or runnable goroutine why it is or is not accused.
	Runnable []Runnable `json:"runnable"`
	Waits    []Wait     `json:"waits"`
	// WaitsCut means that there were too many locks to look at all of them.
	WaitsCut bool `json:"waits_cut,omitempty"`
	Unparsed int  `json:"unparsed"`
	// UnparsedLines are the first of them, for the reader.
	UnparsedLines []UnparsedLine `json:"unparsed_lines"`
}

// A Bucket is one distinct stack.
type Bucket struct {
	State      string   `json:"state"` // of most of its goroutines
	Wait       string   `json:"wait"`  // the wait class
	Count      int      `json:"count"`
	Minutes    Minutes  `json:"minutes"`
	Role       string   `json:"role"` // "" for none
	Locked     bool     `json:"locked"`
	Labels     []string `json:"labels"`
	CreatedBy  *Frame   `json:"created_by"`
	Frames     []Frame  `json:"frames"`
	Goroutines []uint64 `json:"goroutines"` // the smallest 100
}

// Minutes is the span of waiting times in the headers.
type Minutes struct {
	Min uint32 `json:"min"`
	Max uint32 `json:"max"`
}

// A Frame is one frame of a bucket.
type Frame struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Class    string `json:"class"`
	Elided   int    `json:"elided,omitempty"`
}

// A RoleCount is how many goroutines have a role.
type RoleCount struct {
	Role       string `json:"role"`
	Doc        string `json:"doc"`
	Goroutines int    `json:"goroutines"`
	Buckets    int    `json:"buckets"`
}

// A Runnable is the verdict on running or runnable goroutines of one bucket.
type Runnable struct {
	Goroutines []uint64 `json:"goroutines"`
	Count      int      `json:"count"`
	State      string   `json:"state"`
	Verdict    string   `json:"verdict"` // accused, innocent, watch
	Reason     string   `json:"reason"`
	Frame      Frame    `json:"frame"`
}

// A Wait is one object that goroutines wait for.
type Wait struct {
	Object    string   `json:"object"`
	Kind      string   `json:"kind"`
	Waiters   int      `json:"waiters"`
	Holders   []Holder `json:"holders"`
	BlockedBy string   `json:"blocked_by"`
}

// A Holder is a candidate for holding a Wait's object.
type Holder struct {
	Goroutine  uint64 `json:"goroutine"`
	Confidence string `json:"confidence"`
}

// An UnparsedLine is a line inside a dump that was not understood.
type UnparsedLine struct {
	Line int64  `json:"line"`
	Text string `json:"text"`
}

// Ends names the ends that a dump lacks, as Dump.Truncated has it.
func Ends(t stackparse.Truncation) string {
	switch {
	case t.Head && t.Tail:
		return "both"
	case t.Head:
		return "head"
	case t.Tail:
		return "tail"
	}
	return ""
}
