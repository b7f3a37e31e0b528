package open

import (
	"io"
	"os"
	"syscall"
)

// fSetPipeSize is F_SETPIPE_SZ of fcntl(2), Linux 2.6.35.
const fSetPipeSize = 1031

// pipeSize is what an unprivileged process may ask for (/proc/sys/fs/pipe-max-size by default). A pipe has 64 KiB
// otherwise, and writer and reader then take turns some 16,000 times a gigabyte.
const pipeSize = 1 << 20

// widenPipe gives r a larger buffer where it is a pipe. A refusal costs nothing but speed.
func widenPipe(r io.Reader) {
	f, ok := r.(*os.File)
	if !ok {
		return
	}
	conn, err := f.SyscallConn()
	if err != nil {
		return
	}
	_ = conn.Control(func(fd uintptr) {
		_, _, _ = syscall.Syscall(syscall.SYS_FCNTL, fd, fSetPipeSize, pipeSize)
	})
}
