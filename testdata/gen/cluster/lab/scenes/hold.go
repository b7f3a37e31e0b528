package scenes

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// managerPort is where the lab's controller manager listens, seen from the first API server's port (package plane).
const managerPort = 257 - 443

// whileManagerWaits does something while the controller manager is stopped: a busy one comes to a deletion as late, and
// whether it is busy is not left to chance.
func (d day) whileManagerWaits(do func()) {
	if d.over() {
		return
	}
	pid, err := managerOf(d.c.Config.Host)
	if err == nil {
		err = syscall.Kill(pid, syscall.SIGSTOP)
	}
	d.fail(err)
	if err != nil {
		return
	}
	defer syscall.Kill(pid, syscall.SIGCONT)
	do()
}

// managerOf finds the process of the controller manager beside an API server.
func managerOf(server string) (int, error) {
	address, err := beside(server, managerPort)
	if err != nil {
		return 0, err
	}
	_, port, _ := bytes.Cut([]byte(address), []byte(":"))
	flag := fmt.Appendf(nil, "--secure-port=%s\x00", port)
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		return 0, err
	}
	for _, name := range files {
		if line, err := os.ReadFile(name); err == nil && bytes.Contains(line, flag) {
			return strconv.Atoi(filepath.Base(filepath.Dir(name)))
		}
	}
	return 0, fmt.Errorf("no process has %s", flag)
}
