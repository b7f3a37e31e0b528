package schema

// A Profile is one profile of the report. Goroutine profiles are dumps.
type Profile struct {
	Input string `json:"input"`
	// Kind is what it measures (cpu, heap, allocs, mutex, block, wall, threadcreate, other), Type and Unit the sample
	// type that shares are of ("inuse_space", "bytes").
	Kind string `json:"kind"`
	Type string `json:"type"`
	Unit string `json:"unit"`
	// Namespace, Pod and Container are those of the process, where the path names it.
	Namespace string `json:"namespace"`
	Pod       string `json:"pod"`
	Container string `json:"container"`
	Time      string `json:"time"` // RFC 3339, "" where unknown
	Go        string `json:"go"`   // the releases that name functions so, "" where unknown
	Program   string `json:"program"`
	Total     int64  `json:"total"` // in Unit
	Duration  int64  `json:"duration_ns"`
	Samples   int64  `json:"samples"`
	// Cores is the CPUs that a CPU profile kept busy on average, 0 where that is not known.
	Cores float64 `json:"cores"`
	// Explained is the share of Total that findings speak of, 0 to 1.
	Explained float64 `json:"explained"`
	// Top is the functions with most of it: the first by what they use themselves, and the program's own by what is
	// used below them.
	Top    []TopFunction `json:"top"`
	Doubts []Doubt       `json:"doubts"`
	Labels []LabelShare  `json:"labels"`
}

// A TopFunction is a function with its part of a profile, in the profile's unit.
type TopFunction struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Class    string `json:"class"`
	Flat     int64  `json:"flat"` // spent in it
	Cum      int64  `json:"cum"`  // spent in it and what it calls
}

// A Doubt is a reason for caution with a profile: few samples, an idle process, missing names.
type Doubt struct {
	Name string `json:"name"`
	Text string `json:"text"`
	Hint string `json:"hint"`
}

// A LabelShare is the share of a profile with one value of a label (pprof.Do).
type LabelShare struct {
	Key   string  `json:"key"`
	Value string  `json:"value"` // "" for what lacks the key
	Share float64 `json:"share"`
}
