// Package logs holds the rules about log lines outside dumps (TR70x): what a program logs again and again, about
// which objects and how steadily, and what it says last. They read Pass.Logs.
package logs
