// Package match holds conditions on stacks: Match for the buckets of a dump, StackMatch for the stacks of a profile,
// and roles (roles.yaml), the stacks of goroutines that are where they should be. docs/own-rules.md describes
// their patterns.
package match
