package schema

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
