// Package rulestest holds what tests of several packages of rules share: the -update flag, the check of a finding
// against the report's contract, and profiles written as text.
package rulestest
