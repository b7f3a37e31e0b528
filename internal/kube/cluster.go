package kube

import "time"

// A Cluster is what all files of all inputs contain of the cluster's objects. The lists are ordered by namespace and
// name, one entry an object: the newest version that was seen.
type Cluster struct {
	// Count is the number of distinct objects that were read.
	Count int

	// Time is when the cluster was looked at: the bundle's time, else the newest in any object; zero for none.
	Time time.Time
	// Bundle is the bundle's own metadata.
	Bundle Bundle

	Pods       []*Pod
	Workloads  []*Workload // of the kinds in workloads (kinds.go)
	Nodes      []*Node
	Claims     []*Claim
	Classes    []*StorageClass
	Namespaces []*Namespace
	Leases     []*Lease
	Budgets    []*Budget
	Scalers    []*Scaler
	Services   []*Service
	// Others are objects of all other kinds, Events apart.
	Others []*Other
	// Events are merged by object, reason and message, ordered by their last time.
	Events []*Event

	// Usages are what `kubectl top` printed of pods, containers and nodes.
	Usages []Usage

	// Tails are termination messages that look like the end of a goroutine dump.
	Tails []Tail
	// Gaps are the things that the bundle's maker reports it could not collect.
	Gaps []Gap
	// Remarks are how exact the inputs are: what tables of kubectl do not show.
	Remarks []Gap
	// Cut lists what was not kept, by kind; empty where all was.
	Cut []Cut

	listed map[kindKey]bool         // without a name
	named  map[kindKey]objectRecord // those with a type of their own
	events map[kindKey][]*Event
	// taken and watched are the newest times of the inputs that were collected together, and of watches.
	taken, watched map[string]time.Time
	moments        map[string]Moment // by input
}

// Empty reports whether no object was read.
func (c *Cluster) Empty() bool { return c == nil || c.Count == 0 }

// A Bundle is a support bundle's own metadata.
type Bundle struct {
	Created time.Time // when it was made; zero where unknown
	// Kubernetes is the API server's version: "v1.31.2+k3s1"; that of the kubelets where only these are known and
	// agree; else "".
	Kubernetes string
}

// An At is a place in an input.
type At struct {
	Input string
	Line  int64 // 1-based: where the object begins
}

// A Ref names an object.
type Ref struct {
	API       string // group/version, or "v1"
	Kind      string
	Namespace string // "" for cluster-scoped objects
	Name      string
	UID       string
}

// Meta is what every object has.
type Meta struct {
	Ref
	At
	GenerateName string
	Created      time.Time
	Deleted      time.Time // deletionTimestamp: when it will be, or was to be, gone; zero where it is not deleted
	Grace        int64     // deletionGracePeriodSeconds; Deleted minus it is when the DELETE came
	Owner        Ref       // the owner that controls it; Kind is "" where none does
	// TemplateHash is the label pod-template-hash: the end of the name of a Deployment's ReplicaSet.
	TemplateHash string
	Finalizers   []string
	Generation   int64
	Phase        string // status.phase: Running, Bound, Terminating …
	// Labels are those of pods and nodes, and with the annotations those of all objects where Store.Labels is set.
	Labels, Annotations []Pair
	ResourceVersion     string
	Writers             []Writer // from managedFields
	// Conditions are those of its status; of a route, those that all its parents report.
	Conditions []Condition
	// Needs are the objects that it does not work without.
	Needs []Need
	// Written is the newest write that the object itself shows: of managedFields' and of its status conditions' times.
	Written time.Time
	// WrittenBy is the writer with the newest time; nil where none is known.
	WrittenBy *Writer
	// Gone is set where a watch reported its deletion, a later list of its kind lacks it, or it was made anew.
	Gone bool
	// History compares the versions of the object; nil where one was seen.
	History *History
}

// A Writer is an entry of managedFields.
type Writer struct {
	Manager     string
	Operation   string // Apply or Update
	Subresource string // "status", or ""
	Time        time.Time
}

// A Pod is a pod.
type Pod struct {
	Meta
	Reason       string // status.reason: OutOfcpu, Evicted, NodeAffinity …
	Message      string // at most maxMessage bytes
	Node         string // spec.nodeName
	NodeSelector []Pair
	Started      time.Time   // status.startTime
	Containers   []Container // init containers first
	Claims       []string    // names of the PersistentVolumeClaims that its volumes ask for
	// Priority is spec.priority: below 0 for pods that hold room for others, and give way to any (cluster-autoscaler,
	// overprovisioning).
	Priority int64
	// RestartPolicy is spec.restartPolicy: Always, OnFailure or Never; "" where it is unknown.
	RestartPolicy string
}

// A Condition is an entry of status.conditions.
type Condition struct {
	Type, Status, Reason, Message string
	Since                         time.Time // lastTransitionTime
}

// A Need is an object that another one refers to, and how: "routes to", "scaleTargetRef names". Group is "" where the
// reference does not give it.
type Need struct{ Kind, Group, Namespace, Name, How string }

// A Pair is a name with its value: a label, a resource's quantity.
type Pair struct{ Name, Value string }

// A Container is a container of a pod with its state.
type Container struct {
	Name string // "" where the inputs do not show it: a table's container
	// Unlisted reports that its image, requests and limits are not in the inputs.
	Unlisted         bool
	ID               string // of the runtime, without its name; "" where it has not run
	Init             bool
	Restarts         int
	Waiting          string // reason of state.waiting: CrashLoopBackOff, ImagePullBackOff …
	WaitingMessage   string
	Now              *Termination // state.terminated
	Last             *Termination // lastState.terminated
	Image            string
	Requests, Limits []Pair
	Ports            []Pair // that it declares: names, which may be "", with their numbers
	Line             int64
}

// A Termination is how a container ended.
type Termination struct {
	Reason            string // Error, OOMKilled, Completed, ContainerCannotRun …
	Exit              int    // -1 where a table does not show it
	Signal            int
	Started, Finished time.Time
	Message           string // at most maxTermination bytes: what the kubelet keeps
	Line              int64  // of the message, or of the termination
}

// A Workload makes pods.
type Workload struct {
	Meta
	Replicas int64 // spec.replicas; -1 where unset
	Ready    int64
	NodeName string // of the pod template
	// TemplateLine is the line of the template's nodeName; 0 where it has none.
	TemplateLine int64
	// Current and Active are what the status counts: pods, and the pods of a Job that are at work.
	Current, Active int64
	// Kept is how many pods or Jobs a Job's completions or a CronJob's history limits leave, and how many old
	// ReplicaSets a Deployment keeps (the API's defaults where the field is absent); 0 for other kinds.
	Kept int64
}

// A Node is a node.
type Node struct {
	Meta
	Allocatable   []Pair
	Unschedulable bool
	Taints        []string  // their keys
	Cordoned      time.Time // timeAdded of the taint node.kubernetes.io/unschedulable; zero where unknown
	Kubelet       string    // version
}

// A Claim is a PersistentVolumeClaim.
type Claim struct {
	Meta
	Volume string
	Class  string
}

// A StorageClass is a StorageClass.
type StorageClass struct {
	Meta
	Provisioner  string
	WaitForFirst bool // volumeBindingMode WaitForFirstConsumer: its claims wait for a pod
}

// A Namespace is a namespace.
type Namespace struct {
	Meta
	SpecFinalizers []string
}

// A Lease is a coordination.k8s.io Lease.
type Lease struct {
	Meta
	Holder      string
	Transitions int64 // how often it changed hands
	Duration    time.Duration
	Renewed     time.Time
	// Since is the renewal that its oldest version shows.
	Since time.Time
	// Terms are the holders that its versions show, oldest first, at most maxTerms.
	Terms []Term
}

// A Term is what versions of a Lease show of one holder.
type Term struct {
	Holder      string
	Transitions int64
	Acquired    time.Time
	Renewed     time.Time // by the newest of these versions
	At          At
	// Released: a version followed that has no holder, so that the holder gave the Lease up.
	Released bool
}

// A Budget is a PodDisruptionBudget.
type Budget struct {
	Meta
	Allowed, Healthy, Wanted, Expected int64 // disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods
	MinAvailable, MaxUnavailable       string
	Selector                           []Pair // matchLabels
	Known                              bool   // it has a status
}

// A Scaler is a HorizontalPodAutoscaler.
type Scaler struct {
	Meta
	Target   Ref // without API and UID
	Min, Max int64
}

// A Service is a Service.
type Service struct {
	Meta
	Selector []Pair
	Type     string
	// Targets are the ports of its pods that it sends to: numbers, or names of containers' ports. A headless one has
	// none: its clients choose.
	Targets []string
}

// An Other is an object of a kind that has no type of its own here.
type Other struct {
	Meta
	// Webhooks are the names of those that a configuration of admission webhooks lists.
	Webhooks []string
}

// An Event is what Event objects with one object, reason and message show together. Counts are lower bounds: the client
// library folds events together after 10 alike in 10 minutes and drops what exceeds a burst of 25 for each object
// (client-go tools/record events_cache.go).
type Event struct {
	At
	Object      Ref
	Field       string // involvedObject.fieldPath: "spec.containers{app}"
	Reason      string
	Message     string
	Type        string // Normal, Warning
	Count       int    // as the Event objects count
	First, Last time.Time
}

// A History compares the versions of one object.
type History struct {
	Versions int // distinct versions seen
	// First and Last are the oldest and newest version's places, From and To their write times (zero for unknown).
	First, Last At
	From, To    time.Time
	// FirstVersion and LastVersion are their resourceVersions, 0 where these are no numbers.
	FirstVersion, LastVersion int64
	// Generations is by how much metadata.generation moved between the two: how often the object was given a new spec,
	// whether or not a version of it was seen.
	Generations int64
	// Moves are the steps from one version to the next in which nothing but times and the order of lists differed.
	Moves int
	// Fields are those that differ between neighbouring versions, most often first, without those that every write
	// moves (metadata.resourceVersion, managedFields' times). At most maxFields; More counts the others.
	Fields []Field
	More   int
	// Writers are the managers with an entry that moved between versions, most often first.
	Writers []string
	// Adopted are the steps of a watch in which its controlling owner was another object of the same name, the first
	// maxAdopted. One that is orphaned has no owner in between, and has no such step.
	Adopted []Adoption
}

// An Adoption is a version of an object whose owner has the name of the one before and another UID.
type Adoption struct {
	At
	From, To string
}

// A Field is a field that differs between versions of an object.
type Field struct {
	Path    string // status.conditions[Monitored].lastUpdateTime
	Kind    FieldKind
	Changes int // neighbouring versions between which it differs
	Flips   int // how often it went back to the value that it had before the last
	// Values are the newest two, older first, where they are times or numbers; else empty.
	Values []string
	// From and To are the write times of the first and last version in which it differed, Writers the managers with an
	// entry that moved in one of these, most often first.
	From, To time.Time
	Writers  []string
	// Alone is how many of Changes came with nothing but times and the order of lists.
	Alone int
	// FirstValue and LastValue are its first value in these and its last, where they are times.
	FirstValue, LastValue time.Time
}

// A FieldKind is what a field's values look like.
type FieldKind int

// The kinds of fields.
const (
	FieldOther  FieldKind = iota
	FieldTime             // both values are timestamps
	FieldNumber           // both values are integers
	FieldOrder            // the list holds the same elements in another order
	FieldGone             // it is there in one version and not in the other
	fieldKinds
)

// A Usage is what a pod, a container or a node takes, by a row of `kubectl top`.
type Usage struct {
	At
	Kind, Namespace, Name string // Pod or Node
	Container             string // "" for all of a pod
	MilliCPU              int64  // thousandths of a core
	Bytes                 int64  // working set
}

// A Tail is a termination message that ends like a goroutine dump: Kubernetes keeps the last 2,048 bytes of a
// container's log as its termination message (FallbackToLogsOnError), so that nearly every dump is cut in front.
type Tail struct {
	At
	Namespace, Pod, Container, Node, UID string
	Restart                              int // of the container instance that died: its log is Restart.log; -1 unknown
	Text                                 string
}

// A Gap is something that could not be collected.
type Gap struct {
	Input string
	Line  int64
	Text  string
	Count int // lines alike
}

// A Cut counts objects that were not kept or not read whole.
type Cut struct {
	Kind   string
	Count  int
	Reason string
}

type kindKey struct{ kind, namespace, name string }
