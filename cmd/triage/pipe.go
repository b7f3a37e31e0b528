package main

import (
	"errors"
	"io"
	"io/fs"
	"runtime"
	"syscall"
)

// Numbers of Windows' system errors for a pipe whose reader is gone: ERROR_BROKEN_PIPE and ERROR_NO_DATA.
const (
	windowsBrokenPipe = syscall.Errno(109)
	windowsNoData     = syscall.Errno(232)
)

// closedPipe reports an error of writing to a reader that has gone, as head does when it has enough. The report
// was not wanted further: that is no failure.
func closedPipe(err error) bool {
	if errors.Is(err, io.ErrClosedPipe) || errors.Is(err, syscall.EPIPE) {
		return true
	}
	var pathErr *fs.PathError
	if runtime.GOOS != "windows" || !errors.As(err, &pathErr) {
		return false
	}
	return errors.Is(err, windowsBrokenPipe) || errors.Is(err, windowsNoData)
}
