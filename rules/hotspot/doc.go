// Package hotspot finds out what a profile's work is spent on. A Board gives each stack to one rule (Hotspots), weighs
// what each rule takes against its thresholds and blames the function that asks for it. The rules here are those
// that need more than shares of stacks; the others are declared in YAML.
package hotspot
