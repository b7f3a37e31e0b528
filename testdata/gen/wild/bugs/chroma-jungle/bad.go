//go:build !fixed

package main

// sample is a piece that somebody has sent.
const sample = "project.manifest = manifest.xml\n/ base.sourcePath = source\n"
