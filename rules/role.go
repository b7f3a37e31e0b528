package rules

// A Role describes what the goroutines of a bucket do when they are where they should be.
type Role struct {
	Name string // kebab-case: "informer-listener"
	Doc  string // what it does, one line: "hands informer events to one handler"
	// Idle reports whether a goroutine of this role may wait for ever.
	Idle bool
}
