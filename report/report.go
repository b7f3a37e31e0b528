// Package report renders a triage.Report: text for people (Text), JSON for programs (JSON), and the documentation of
// rules and roles (Rules, Explain).
//
// Everything in a report may come from a hostile log. Text passes every string through Escape before it reaches the
// writer; JSON writes the same characters as \u escapes, so that neither can move a terminal's cursor or turn the
// order of what is read.
//
// Stability: JSON is the contract triage/v1; text is for people, and its words may change with any release.
package report
