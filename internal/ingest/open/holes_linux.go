package open

import (
	"io/fs"
	"syscall"
)

// IsMostlyHoles reports whether a file on disk is sparse and too large to be read for its holes: less than a hundredth
// of it has a place there.
func IsMostlyHoles(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	const block = 512 // the unit of st_blocks, stat(2)
	return ok && info.Size() > maxSparse && stat.Blocks*block < info.Size()/100
}
