// Package hotspot finds out what a profile's work is spent on. A Board gives each stack to one rule (Claims), weighs
// what each rule claims against its thresholds and blames the function that asks for it. The rules here are those
// that need more than shares of stacks; the others are declared in YAML.
package hotspot
