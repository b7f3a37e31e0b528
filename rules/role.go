package rules

// A Role describes what the goroutines of a bucket do when they are where they should be.
type Role struct {
	Name string // kebab-case: "informer-listener"
	Doc  string // what it does, one line: "hands informer events to one handler"
	// Idle reports whether a goroutine of this role may wait for ever.
	Idle bool
	// Ceiling is how many goroutines of one process the role explains; a dump with more has none of this role in its
	// largest buckets.
	Ceiling int
	// Usual is how many of it, started by one function, a process usually has: more are worth a look.
	Usual int
	// Place reports whether the role says little without the place where its goroutine waits.
	Place bool
}
