//go:build !linux

package open

import "io/fs"

// IsMostlyHoles is false: other systems count in other units, or not at all.
func IsMostlyHoles(fs.FileInfo) bool { return false }
