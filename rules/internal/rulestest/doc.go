// Package rulestest holds what tests of several rooms of rules share: the -update flag, the check of a finding
// against the report's contract, and profiles written as text.
package rulestest
