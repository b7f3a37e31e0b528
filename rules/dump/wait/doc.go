// Package wait holds the rules about goroutines that wait (TR4xx). Start from rules.go: each entry there has a run,
// which looks at the dumps of a pass and returns findings. Most runs are of three kinds:
//
//   - calls.run (waiting.go): calls finds the buckets that wait in a call of stacks.md, dumpIndex groups those behind
//     one caller as waiters, and the rule judges each group.
//   - standstillRun and orphanRun: the rule judges what the graph of package waitgraph shows of who waits for whom.
//   - viewRun and actorRun (view.go): a view holds each stack of a dump against all others, for waits that nobody is
//     left to end. Only dumps in which goroutines wait in one of the classes given are looked at.
//
// A verdict becomes a finding with the texts of findings.md. joined(a, b) finds what either run does, and unless(a, b)
// what b does in packages for which a finds nothing in the same dump. In lock-cycle,
// unless(joined(cycles, undoubted(double)), viewRun(closedLocks, ...)) leaves closedLocks the packages that have
// neither a cycle nor a sure double lock.
package wait
