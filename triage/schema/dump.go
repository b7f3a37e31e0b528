package schema

import (
	"slices"

	"github.com/gotriage/triage/stackparse"
)

// A Dump is one goroutine dump of the report.
type Dump struct {
	Input string `json:"input"`
	Line  int64  `json:"line"`
	// EndInput and EndLine are where its last line is: in another file where rotation cut it.
	EndInput string `json:"end_input"`
	EndLine  int64  `json:"end_line"`
	// Namespace, Pod and Container are those of the process, where path or framing name it: an input may hold several.
	Namespace string `json:"namespace"`
	Pod       string `json:"pod"`
	Container string `json:"container"`
	// Process is equal for the dumps of one process, and the one of their Series; "" where nothing names it.
	Process    string   `json:"process"`
	Time       string   `json:"time"`
	Format     string   `json:"format"`
	Signal     string   `json:"signal"`
	Reason     string   `json:"reason"`
	Go         string   `json:"go"`
	Goroutines int      `json:"goroutines"`
	Truncated  string   `json:"truncated"` // "", "head", "tail", "both"
	Seen       int      `json:"seen"`      // how often this same dump was printed
	Buckets    []Bucket `json:"buckets"`
	// BucketsCut counts the buckets that the JSON report leaves out: where there are too many, the largest are listed.
	BucketsCut int         `json:"buckets_cut,omitempty"`
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
	Role       string   `json:"role"`             // "" for none
	Excess     bool     `json:"excess,omitempty"` // one function started more of its role than a process usually has
	Locked     bool     `json:"locked"`
	Labels     []string `json:"labels"`
	CreatedBy  *Frame   `json:"created_by"`
	Frames     []Frame  `json:"frames"`
	Goroutines []uint64 `json:"goroutines"` // the smallest 100
	// Ends are the functions of its package that could end the wait, those first in which goroutines are: only with the
	// program's source, of waits that no role explains and of main's.
	Ends []Ending `json:"ends,omitempty"`
}

// Minutes is the span of waiting times in the headers.
type Minutes struct {
	Min uint32 `json:"min"`
	Max uint32 `json:"max"`
}

// Expected reports whether its goroutines are in a role within its usual count.
func (b *Bucket) Expected() bool { return b.Role != "" && !b.Excess }

// A Frame is one frame of a bucket.
type Frame struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Class    string `json:"class"`
	Elided   int    `json:"elided,omitempty"`
}

// Blamed is the frame of a stack nearest to the leaf that is neither the runtime's nor the standard library's. ok is
// false where there is none.
func Blamed(frames []Frame) (f Frame, ok bool) {
	i := slices.IndexFunc(frames, func(f Frame) bool {
		return f.Class != "runtime" && f.Class != "stdlib" && f.Elided == 0
	})
	if i < 0 {
		return f, false
	}
	return frames[i], true
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
	Object  string `json:"object"`
	Kind    string `json:"kind"`
	Waiters int    `json:"waiters"`
	// Goroutines are waiters: at most 20 of them; empty where the form has no ids.
	Goroutines []uint64 `json:"goroutines"`
	Holders    []Holder `json:"holders"`
	BlockedBy  string   `json:"blocked_by"`
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

// A Series is what changed from dump to dump of one process.
type Series struct {
	// Process is named by path, framing or the goroutines themselves: "shop/api-0/api/1", "process 1".
	Process string `json:"process"`
	// Dumps are those that were compared, in order of time; DumpsTotal counts all of the process.
	Dumps      []SeriesDump `json:"dumps"`
	DumpsTotal int          `json:"dumps_total"`
	// Steps say what became of the goroutines from each dump to the next one.
	Steps []SeriesStep `json:"steps"`
	// Buckets are the distinct stacks over all dumps, those that grew first; at most 100 of BucketsTotal.
	Buckets      []SeriesBucket `json:"buckets"`
	BucketsTotal int            `json:"buckets_total"`
}

// A SeriesDump names one dump of a Series.
type SeriesDump struct {
	Input      string `json:"input"`
	Line       int64  `json:"line"`
	Time       string `json:"time"`
	Goroutines int    `json:"goroutines"`
}

// A SeriesStep counts goroutines by id: those that are in the same stack in the next dump, those that are in another
// one, those that came and those that ended. All are 0 where a dump has no ids.
type SeriesStep struct {
	Stayed int `json:"stayed"`
	Moved  int `json:"moved"`
	New    int `json:"new"`
	Gone   int `json:"gone"`
}

// A SeriesBucket is one distinct stack over the dumps of a Series.
type SeriesBucket struct {
	// Function, File and Line are the place that is blamed for it, not the leaf.
	Function  string `json:"function"`
	File      string `json:"file"`
	Line      int    `json:"line"`
	Wait      string `json:"wait"`
	Role      string `json:"role"` // "" for none
	Idle      bool   `json:"idle"` // its role may wait for ever
	CreatedBy string `json:"created_by"`
	Counts    []int  `json:"counts"` // one a dump
	Stayed    []int  `json:"stayed"` // one a step
	// Stuck counts those that were there in every dump, never ready to run, and waited for one and the same thing.
	Stuck int              `json:"stuck"`
	Trend stackparse.Trend `json:"trend"`
}

// A Fleet is the replicas of one workload, as far as the inputs hold dumps of them, held against each other.
type Fleet struct {
	Namespace string `json:"namespace"`
	// Workload is the pods' name without what Kubernetes appended; the program's module where nothing names pods.
	Workload  string `json:"workload"`
	Container string `json:"container"`
	// Replicas are in order of pod; at most 1,000 of ReplicasTotal.
	Replicas      []Replica `json:"replicas"`
	ReplicasTotal int       `json:"replicas_total"`
	// Compared counts those that were held against others: whole dumps, no leader, two or more of one revision.
	Compared int `json:"compared"`
	// Odd are those that differ from most of the others; at most 10 of OddTotal.
	Odd      []Odd `json:"odd"`
	OddTotal int   `json:"odd_total"`
}

// A Replica is one pod of a Fleet (a process, where nothing names pods) by its last dump.
type Replica struct {
	Pod      string `json:"pod"` // "" where nothing names it
	Node     string `json:"node"`
	Input    string `json:"input"`
	Line     int64  `json:"line"`
	Revision string `json:"revision"` // the pod template's hash, "" for none
	// Goroutines are those of the last dump, Findings the distinct findings above info in all its dumps.
	Goroutines int `json:"goroutines"`
	Findings   int `json:"findings"`
	// Leader means that it holds a lease that others wait for: its controllers run, theirs don't, and both are right.
	Leader bool `json:"leader"`
	// Truncated means that an end of the dump is missing: it is not compared.
	Truncated bool `json:"truncated"`
}

// An Odd is a replica that differs.
type Odd struct {
	Pod   string `json:"pod"`
	Input string `json:"input"`
	Line  int64  `json:"line"`
	Why   string `json:"why"`
	// Buckets are the stacks in which it differs, the greatest difference first; at most 5.
	Buckets []OddBucket `json:"buckets"`
}

// An OddBucket is the stacks with one culprit and one kind of wait over all replicas.
type OddBucket struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Wait     string `json:"wait"`
	Counts   []int  `json:"counts"` // aligned with Fleet.Replicas
}
