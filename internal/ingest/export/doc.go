// Package export reads what log stores export: records as JSON lines, in JSON bodies or as CSV, of which one member
// carries a log's text and another one the time. Which these are is learned from the first records (Learn), because
// every store, and every schema in it, has its own: the member in which lines of goroutine dumps occur, or else the one
// that is most like a log's text.
//
// Stores sort as their users ask: newest first, by another member, in the order of their shards. Read restores the
// order of time, and says what a store has reordered or cut.
//
// Learn takes bytes and returns the Shape of their records; Shape.Read passes Records to a Sink. Begin reading at
// Learn (learn.go) and Shape.Read (read.go).
package export
