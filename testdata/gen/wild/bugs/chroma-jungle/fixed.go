//go:build fixed

package main

// sample is a piece without a lone stroke.
const sample = "project.manifest = manifest.xml\nbase.sourcePath = source\n"
