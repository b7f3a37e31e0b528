// Package phrase writes numbers and names for sentences: plurals, thousands, durations, bytes, shares, and texts that
// are cut or quoted. Rules, verdicts and package declared share it.
package phrase
