package audit

import "time"

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
