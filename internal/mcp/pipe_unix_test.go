//go:build unix

package mcp_test

import (
	"path/filepath"
	"syscall"
	"testing"
)

func TestAPipeIsRefused(t *testing.T) {
	dir := write(t, map[string]string{"a.txt": "x\n"})
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Skipf("no pipes here: %v", err)
	}
	c := connect(t, dir)
	c.refuses("analyze", map[string]any{"paths": []string{"pipe"}}, "neither a regular file nor a folder")
	c.must("analyze", map[string]any{"paths": []string{"."}})
}
