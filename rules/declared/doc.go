// Package declared reads rules and roles from YAML and makes Rules of them: those of the user with Load, the built-in
// ones of *.yaml and ../match/roles.yaml from builtin-*.json, which `make docs` makes. docs/own-rules.md describes the
// form.
//
// A rule about goroutines is a match and a condition (declared.go), one about profiles takes stacks
// (profile_rule.go).
package declared
