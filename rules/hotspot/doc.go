// Package hotspot finds out what a profile's work is spent on. Of the rules that take stacks, each a Matcher, YAML
// declares most (HotspotDef); those here need more than shares of stacks. Board.Hotspots gives each stack to the first
// Matcher, by Order, that has an alternative for it. Then takeRequests and takeRest share out stacks that are left, and
// splitPolling, splitBacktracking, takeWithoutResult and takeNested move stacks that only the whole profile separates.
// What a Matcher has in the end is its Hotspot. Hotspots.weigh finds each one's share and Attribution, and folds those
// with one cause into one; Matcher.Run makes a finding of each Hotspot that still fires.
package hotspot
