// Package verdict decides what findings mean together: it applies a set of rules to the evidence, confirms findings by
// a second input, merges those of one cause and ranks what is left. Rules don't see each other's findings; this package
// does. Findings and the evidence go in, fewer and surer findings come out; begin reading at AskAll, then at Merge,
// OneCause and Rank.
package verdict
