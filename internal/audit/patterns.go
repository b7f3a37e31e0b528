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
