package audit

import "time"

// A Creation is a group of objects that one actor created for one owner.
type Creation struct {
	Actor               int32
	Resource            string
	Namespace           string
	Owner               Owner  // the controller of the created ones; Kind "" where the level lacks it
	Top                 Owner  // the owner's own controller: a ReplicaSet's Deployment
	Inferred            bool   // Owner was read off the names of pods that others wrote
	Remade              int32  // the object that makes up more than half of the created ones, -1 for none
	Remakes             int    // how often that was created
	Prefix              string // generateName, or the prefix of the names, where Owner isn't known
	Stem                string // what most names begin with, up to their last part, where Prefix is ""
	Count               int
	Window              int // the most within creationWindow
	First, Last         int64
	Standing            int           // the most of them at one time that had neither failed nor been deleted
	Failed              int           // pods that became Failed
	Reason              string        // the most frequent reason of these
	Deleted             int           // again, but for pods that were evicted or that their creator deleted
	Lifetime            time.Duration // the median of those
	NodeNamed           int           // pods created with spec.nodeName set
	Told                int           // created ones with a body that shows whether it was
	Bound               int           // pods that a scheduler bound
	Reported            int           // pods whose status a kubelet wrote
	OnNode              int           // the most of these that one kubelet wrote
	Statuses            int           // writes of pods' statuses whose body is logged
	FirstWrite, LastOne int32         // indexes
	FailedWrite         int32         // the first that failed, -1 for none
}

// A Fight is two actors that write one object in turns.
type Fight struct {
	Object      int32
	A, B        int32 // A wrote first
	Writes      [2]int
	Deletes     [2]int
	Creates     [2]int
	Switches    int // how often the writer changed, pauses left out
	First, Last int64
	Gap         time.Duration // the median between writes
	Contested   []Contest     // fields that both set, those with fixed values first
	From, To    int32         // indexes of the first and last write
	// Compared: bodies show which fields the two set.
	Compared bool
}

// A Contest is a field that two actors set.
type Contest struct {
	Path    string
	A, B    string // the value that each sets most, as JSON; "" removes the field
	NA, NB  int64
	Undoing bool // both values are fixed, and differ
}

// A Loop is a row of writes of one object (and subresource) by one actor, each at most maxPause behind the one before;
// the longest row of each actor and object that has minRow writes or more.
type Loop struct {
	Object, Actor int32
	Sub           string
	Writes        int   // of the row
	Alone         int   // that followed a write of the same actor: no other actor wrote in between
	Led           int   // that followed a write of the same actor, but for others' writes of the status
	Versioned     int   // that carry a resourceVersion
	Chained       int   // whose version is the one that the actor's own last write returned
	Inferred      int   // likely chained: the answer's version isn't logged, but no other actor wrote in between
	NoOps         int   // that left the version as it was
	Answered      int   // of which the version of the answer is known
	Compared      int   // whose body was compared with the one before
	Nothing       int   // of these: nothing changed
	TimeOnly      int   // of these: only timestamps changed
	Change        int32 // the most frequent set of changed fields
	ChangeCount   int   // how often that was
	Conflicts     int   // refused with 409 meanwhile
	First, Last   int64
	Gap           time.Duration // the median
	Steady        float64       // the share of gaps within a quarter of the median
	From, To      int32         // indexes of the first and last write
}

// A Takeover is the race between a deletion and a writer: an object was deleted and created anew under its name, and
// before the garbage collector came to a dependant of the old one, another actor wrote that dependant, which so lived
// on.
type Takeover struct {
	Owner          int32 // object
	Dependant      int32 // object
	Delete, Create int32 // writes of the owner; Create is -1 where it didn't come back
	Write          int32 // of the dependant
	Proven         bool  // bodies show the dependant's owner uid move to the new owner's
	Doomed         []Doomed
	Pending        []Pending
}

// A Doomed is an object that was deleted together with the owner.
type Doomed struct {
	Object    int32
	Delete    int32
	Finalized int32 // the write that removed its last finalizer, -1 for none
	Recreated int32 // -1 for none
}

// A Pending is a pod that was created and that until the log's end no scheduler bound and no kubelet reported.
type Pending struct {
	Object int32
	Create int32
	For    time.Duration
	// Shown: the log holds bindings of other pods around that time, so that this one's would be in it too. One of
	// several API servers' logs holds none where the scheduler talks to another.
	Shown bool
}
